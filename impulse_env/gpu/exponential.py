"""The exponential function from sums and products: a GPU has no library of mathematics."""

from math import factorial, log
from typing import Final

import numpy as np

from impulse_env.compiled.compilation import jit_internal

_LARGEST: Final = 709.782712893384
"""The exponential of a larger number is infinite."""
_SMALLEST: Final = -745.1332191019412
"""The exponential of a smaller number is 0."""
_POWERS: Final = 1 / log(2)
_LOG_HIGH: Final = 6.93147180369123816490e-01
"""The logarithm of 2 in 32 bits (fdlibm), so that its products with small integers are exact."""
_LOG_LOW: Final = 1.90821492927058770002e-10
"""The rest of it."""
_SERIES: Final = np.array([1 / factorial(power) for power in range(13, 1, -1)])
"""The coefficients of the exponential series, from the 13th power to the 2nd."""


@jit_internal
def exponential(x: float) -> float:
    """Return e to the power of x, within 1 unit in the last place.

    As in fdlibm, x is a multiple of the logarithm of 2 and a rest of about half of it at most. The
    terms that the series of the rest omits are below a tenth of that unit.
    """
    if not x <= _LARGEST:
        return x if x != x else np.inf
    if x < _SMALLEST:
        return 0.0
    power = np.int64(x * _POWERS + (0.5 if x > 0 else -0.5))
    large = x - power * _LOG_HIGH
    small = power * _LOG_LOW
    rest = large - small
    lost = (large - rest) - small
    series = 0.0
    for factor in _SERIES:
        series = series * rest + factor
    begun = 1.0 + rest
    value = begun + ((rest - (begun - 1.0)) + (lost + rest * rest * series))
    # Two factors: one power of 2 could be outside the range of normal numbers.
    half = power >> 1
    return value * _power_of_2(half) * _power_of_2(power - half)


@jit_internal
def _power_of_2(number: int) -> float:
    """Return a power of 2 that is a normal number."""
    return np.int64((number + 1023) << 52).view(np.float64)

"""The exponential function of the kernels: as exact as that of a processor's library."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from numba import types

from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE, jit_internal

torch = pytest.importorskip("torch")

from impulse_env.gpu.code import Kernel, ptx, thread_index  # noqa: E402
from impulse_env.gpu.programs import program  # noqa: E402

pytestmark = pytest.mark.skipif(
    not (IS_COMPILED and LINKS_LATE), reason="kernels are compiled from numba's own IR"
)


@jit_internal
def _exponentials(numbers, out):
    thread = thread_index()
    if thread < len(numbers):
        out[thread] = np.exp(numbers[thread])


DOUBLE = Kernel("double", _exponentials, (types.float64[::1], types.float64[::1]))
SINGLE = Kernel("single", _exponentials, (types.float32[::1], types.float32[::1]))


def computed(kernel, numbers):
    """Return what a kernel computes, in the numbers' own precision."""
    given = torch.from_numpy(numbers)
    out = torch.full_like(given, -1)
    program(kernel, torch.device("cpu"))(len(given), given, out)
    return out.numpy()


def exact(number):
    with localcontext() as context:
        context.prec = 40
        return Decimal(float(number)).exp()


def grid(smallest, largest):
    """Even and random numbers, and small ones of all sizes."""
    rng = np.random.default_rng(0)
    small = 2.0 ** rng.uniform(-60, 0, 500) * rng.choice([-1, 1], 500)
    halves = np.arange(-40, 41) * math.log(2) / 2  # where the rest changes its sign
    numbers = [np.linspace(smallest, largest, 2_001), rng.uniform(smallest, largest, 2_000)]
    return np.concatenate([*numbers, rng.uniform(-5, 5, 2_000), small, halves, -halves])


def test_the_error_is_below_one_unit_in_the_last_place():
    numbers = grid(-745, 709.7)
    for number, value in zip(numbers, computed(DOUBLE, numbers), strict=True):
        error = abs(Decimal(float(value)) - exact(number))
        assert error < Decimal(math.ulp(value)), number
        assert abs(value - math.exp(number)) <= math.ulp(value), number


def test_in_single_precision_it_is_the_nearest_number():
    numbers = grid(-103, 88.7).astype(np.float32)
    nearest = np.array([float(exact(number)) for number in numbers]).astype(np.float32)
    assert (computed(SINGLE, numbers) == nearest).all()


@pytest.mark.parametrize(("kernel", "kind"), [(DOUBLE, np.float64), (SINGLE, np.float32)])
def test_at_the_ends_it_is_what_numpy_says(kernel, kind):
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan, 709.782712893384, 709.7827128933841, 710, 1e300]
    ends += [-745.1332191019411, -745.1332191019412, -746, -1e300, 88.72284, -103.97, 5e-324]
    with np.errstate(over="ignore", under="ignore"):
        numbers = np.array(ends).astype(kind)
        expected = np.exp(numbers)
    np.testing.assert_array_equal(computed(kernel, numbers), expected)
    assert (computed(kernel, np.zeros(2, kind)) == 1).all()


@pytest.mark.parametrize("kernel", [DOUBLE, SINGLE], ids=lambda kernel: kernel.name)
def test_a_gpu_needs_no_library_and_rounds_every_operation_as_a_processor_does(kernel):
    code = ptx(kernel)
    assert ".extern .func" not in code
    assert "mul.rn.f64" in code
    for other in ("fma.", ".approx", ".ftz", ".full"):
        assert other not in code, other

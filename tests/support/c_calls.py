"""The C library, called from Python, and how its sample program is compiled."""

import ctypes

import numpy as np

from impulse_env.c_library.entries import ENTRIES
from impulse_env.c_library.parts import GAME
from impulse_env.c_library.starting import OPTION_COUNT, OPTION_NAMES
from paths import ROOT

SAMPLE = ROOT / "docs/examples/c_library/play.c"
STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror")


class Library:
    """The functions of the shared library; an array is passed as its address."""

    def __init__(self, path):
        self._loaded = ctypes.CDLL(str(path))
        for entry in ENTRIES:
            function = getattr(self._loaded, entry.name)
            function.restype = ctypes.c_int32
            function.argtypes = [_kind_of(parameter) for parameter in entry.parameters]
            setattr(self, entry.name.removeprefix("impulse_"), self._caller(function))

    @staticmethod
    def _caller(function):
        def call(*arguments):
            return function(*(a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments))

        return call

    def options(self, players=2, **chosen):
        """Options with their defaults but for those chosen."""
        numbers = np.full(OPTION_COUNT, 99, np.int32)
        assert self.default_options(2, numbers) == 0
        numbers[OPTION_NAMES.index("players")] = players
        for name, value in chosen.items():
            if name == "races":
                numbers[len(OPTION_NAMES) :][: len(value)] = value
            else:
                numbers[OPTION_NAMES.index(name)] = value
        return numbers

    def game(self, seed, players=2, **chosen):
        """A new game, shape (1,)."""
        game = np.zeros(1, GAME)
        assert self.new_game(self.options(players, **chosen), seed, game) == 0
        return game


def _kind_of(parameter):
    if "*" in parameter:
        return ctypes.c_void_p
    return {"int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64}[
        parameter.split()[0]
    ]

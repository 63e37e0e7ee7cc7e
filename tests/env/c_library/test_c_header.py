"""The header describes the library: every struct, constant and function."""

import re
import subprocess

import pytest

from c_calls import STRICT
from impulse_env import observation
from impulse_env._version import __version__
from impulse_env.c_library.entries import ENTRIES, LAYOUT
from impulse_env.c_library.files import INCLUDE
from impulse_env.c_library.parts import GAME, Error
from impulse_env.c_library.starting import OPTION_COUNT, OPTION_NAMES
from impulse_env.engine import constants
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.state import STATE

HEADER = (INCLUDE / "impulse.h").read_text(encoding="utf-8")
CODE = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)
C_TYPES = {"u8": "uint64_t", "i4": "int32_t", "i2": "int16_t", "i1": "int8_t"}


def struct(name):
    """The fields of a struct of the header, one line each."""
    (body,) = re.findall(rf"typedef struct {name} \{{(.*?)\}} {name};", CODE, re.DOTALL)
    return [" ".join(line.split()) for line in body.splitlines() if line.strip()]


def fields(kind):
    """The fields of a record of numpy as those of a struct in C."""
    for name in kind.names:
        field = kind.fields[name][0]
        shape = "".join(f"[{length}]" for length in field.shape)
        yield f"{C_TYPES[field.base.str[1:]]} {name}{shape};"


def defined(name):
    (value,) = re.findall(rf"^#define {name} \(?(-?\d+)\)?\s", CODE, re.MULTILINE)
    return int(value)


def members(name):
    (body,) = re.findall(rf"enum {name} \{{(.*?)\}};", CODE, re.DOTALL)
    return {key: int(value) for key, value in re.findall(r"IMPULSE_(\w+) = (-?\d+)", body)}


def test_the_record_is_that_of_the_engine():
    assert struct("impulse_record") == list(fields(STATE))


def test_the_game_is_that_of_the_library():
    seat, count, actions = GAME.names[1:]
    assert struct("impulse_game") == [
        "impulse_record record;",
        f"int32_t {seat};",
        f"int32_t {count};",
        f"int16_t {actions}[IMPULSE_ACTIONS];",
    ]


def test_options_are_those_of_the_library():
    *numbers, races = struct("impulse_options")
    assert numbers == [f"int32_t {name};" for name in OPTION_NAMES]
    assert races == "int32_t races[IMPULSE_MAX_PLAYERS];"


def test_constants_are_those_of_python():
    assert defined("IMPULSE_LAYOUT") == LAYOUT
    assert defined("IMPULSE_ACTIONS") == SIZE
    assert defined("IMPULSE_NOBODY") == constants.NO_SEAT
    assert defined("IMPULSE_MIN_PLAYERS") == constants.MIN_PLAYERS
    assert defined("IMPULSE_MAX_PLAYERS") == constants.MAX_PLAYERS
    for players in range(constants.MIN_PLAYERS, constants.MAX_PLAYERS + 1):
        assert defined(f"IMPULSE_OBSERVATION_{players}") == observation.size(players)
    assert members("impulse_error") == {error.name: error.value for error in Error}
    statuses = ("RUNNING", "WON_BY_SCORE", "WON_BY_ELIMINATION", "TRUNCATED")
    assert members("impulse_status") == {name: getattr(constants, name) for name in statuses}


def test_functions_are_those_of_the_library():
    declared = re.findall(r"^int32_t [^;]+;", CODE, re.MULTILINE)
    assert sorted(" ".join(line.split()) for line in declared) == sorted(
        entry.declaration for entry in ENTRIES
    )


@pytest.mark.parametrize("standard", ["c99", "c17"])
def test_a_compiler_lays_the_structs_out_as_numpy_does(compiler, tmp_path, standard):
    lines = ["#include <stddef.h>", '#include "impulse.h"']
    for kind, name in ((STATE, "impulse_record"), (GAME, "impulse_game")):
        conditions = [f"sizeof({name}) == {kind.itemsize}"]
        conditions += [f"offsetof({name}, {f}) == {kind.fields[f][1]}" for f in kind.names]
        lines += [
            f"typedef char {name}_{number}[({condition}) ? 1 : -1];"
            for number, condition in enumerate(conditions)
        ]
    lines.append(f"typedef char options[sizeof(impulse_options) == {4 * OPTION_COUNT} ? 1 : -1];")
    source = tmp_path / "layout.c"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [compiler, *STRICT, f"-std={standard}", f"-I{INCLUDE}", "-fsyntax-only", source]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_library_says_what_it_is(library):
    assert library.layout() == LAYOUT
    assert library.game_size() == GAME.itemsize
    assert library.record_size() == STATE.itemsize
    assert library.version() == int("".join(f"{int(part):02}" for part in __version__.split(".")))


def test_every_function_has_a_name_of_its_own():
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)
    assert all(entry.name.startswith("impulse_") for entry in ENTRIES)

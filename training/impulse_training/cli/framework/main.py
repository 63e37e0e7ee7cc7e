"""The command `impulse`: finds a command, runs it, and turns errors into one sentence.

Functions import slow libraries themselves, so that the help appears at once.
"""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from math import isfinite
from pathlib import Path
from typing import Any, Final

from impulse_training.cli.framework import streams
from impulse_training.cli.framework.help import more_help, overview
from impulse_training.cli.framework.tree import Row, below, find, nearest

FAILED: Final = 2
INTERRUPTED: Final = 130
BUG: Final = 70
TRACEBACK: Final = "IMPULSE_TRACEBACK"
"""Environment variable: if set, errors print their traceback."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit code.

    0: success; 1: the command finished, but a check failed; 2: an error, explained by a sentence
    on standard error; 70: a bug; 130: interrupted.
    """
    streams.prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    typed, sys.argv = sys.argv, ["impulse", *words]  # checkpoints and results save this
    code = 0
    try:
        code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # the reader of the output closed it
    except OSError as error:
        code = _fail(f"standard output: {error.strerror or error}", error)
    finally:
        streams.give_up()
        sys.argv = typed
    return code


def _run(words: list[str]) -> int:
    """Run a command line; raises only `OSError`, for a standard stream."""
    try:
        return _run_command(words)
    except KeyboardInterrupt as interrupt:
        line = "\n" if sys.stderr.isatty() else ""  # after the terminal's ^C
        _say(line + (str(interrupt) or "interrupted"))
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout.flush()  # raises again if standard output failed
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}{_instead(error)}", error)
    except Exception as error:
        return _bug(error)


def _run_command(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(overview())
        return 0
    try:
        os.getcwd()
    except OSError:
        return _fail("the current folder no longer exists: change to another one")
    from impulse_env import __version__
    from impulse_env.errors import ImpulseError
    from impulse_env.extras import missing_extra

    if words[0] in ("-V", "--version"):
        print(f"impulse {__version__}")
        return 0
    row = find(words)
    if row is None:
        return _fail(f"there is no command {words[0]!r}{nearest(words[0])} (impulse --help)")
    rest = words[len(row.name.split()) :]
    how = f"(impulse {row.name} --help)"
    if rest and not rest[0].startswith("-") and below(row.name):
        near = nearest(rest[0], row.name)
        return _fail(f"there is no command '{row.name} {rest[0]}'{near} {how}")
    if row.is_group:
        if rest and rest[0] not in ("-h", "--help"):
            return _fail(f"there is no option {rest[0]} {how}")
        print(f"usage: impulse {row.name} COMMAND [OPTIONS]\n\n{more_help(row.name)}")
        return 0
    try:
        return call(row, rest)
    except ImpulseError as error:
        return _fail(str(error), error)
    except ImportError as error:
        missing = missing_extra(f"impulse {row.name}", error, row.declared.extra)
        if missing is None:
            raise
        return _fail(str(missing), error)


def call(row: Row, arguments: Sequence[str]) -> int:
    """Run a command; return the exit code. Raises the errors of the command."""
    from impulse_training.cli.framework.parsing import parse

    prog = f"impulse {row.name}"
    command, kind = row.declared, row.options
    try:
        options, as_json = parse(kind, prog, arguments, command.has_json)
        left_out = None if command.left_out is None else command.left_out(options)
        if left_out is not None:
            options, as_json = parse(kind, prog, arguments, command.has_json, left_out)
    except SystemExit as end:
        if not end.code:
            print(more_help(row.name, command.examples))
        return int(end.code or 0)
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        result = row.run(options)
    if as_json:
        print(json.dumps(_plain(result), indent=1, allow_nan=False))
    return int(isinstance(result, dict) and result.get("passed") is False)


def _fail(message: str, error: Exception | None = None) -> int:
    """Print an error in one sentence; return the exit code."""
    _show_traceback(error)
    _say(f"error: {' '.join(message.split())}")
    return FAILED


def _bug(error: Exception) -> int:
    """Print an unexpected error as a bug; return the exit code."""
    _show_traceback(error)
    message = " ".join(str(error).split()) or "no message"
    _say(
        f"error: {type(error).__name__}: {message} "
        f"(this is a bug; {TRACEBACK}=1 prints the traceback)"
    )
    return BUG


def _say(line: str) -> None:
    """Print to standard error, unless it is closed."""
    with suppress(OSError):
        print(line, file=sys.stderr)


def _show_traceback(error: Exception | None) -> None:
    if error is not None and os.environ.get(TRACEBACK):
        import traceback

        traceback.print_exception(error)


def _instead(error: OSError) -> str:
    """Return a suggestion for a file that does not exist or is a folder, or an empty text."""
    from impulse_agents.registry import KINDS
    from impulse_env.errors import did_you_mean
    from impulse_env.records import mistaken

    if isinstance(error, IsADirectoryError):
        return mistaken.told(error.filename)
    if not isinstance(error, FileNotFoundError) or not isinstance(error.filename, str | Path):
        return ""
    missing = Path(error.filename)
    if missing.name.partition(":")[0] in KINDS:
        return f"; {missing} is an agent: `impulse games record {missing}` records a game of it"
    try:
        siblings = sorted(path.name for path in missing.parent.iterdir())
    except OSError:
        return ""
    return did_you_mean(missing.name, siblings)


def _plain(value: Any) -> Any:
    """Return a value for JSON: numpy numbers as numbers, infinity as null, paths as text."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)

"""Reads options from a command line with tyro, and reports errors in one sentence."""

import dataclasses
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import tyro
from tyro import _errors, conf

from impulse_env.errors import ImpulseError, did_you_mean
from impulse_env.text.color import wants_color

CONFIG: Final = (conf.PositionalRequiredArgs, conf.FlagCreatePairsOff)
"""tyro's settings: fields without a default are positional, flags have no negation."""
_FLAG: Final = re.compile("--?[a-z]", re.IGNORECASE)
"""Matches an option, but not a negative number."""
_STREAM: Final = Path("-")
_JSON_HELP: Final = "Print the result as JSON, and everything else to standard error."


class UsageError(ImpulseError, ValueError):
    """A command line is invalid; the message says what is wrong and suggests the nearest option."""


def parse(
    options: type, prog: str, arguments: Sequence[str], has_json: bool, left_out: Any = None
) -> tuple[Any, bool]:
    """Return the options of a command line, and whether it has ``--json``.

    Args:
        options: A dataclass; each field is an option, the docstring below it the help. Fields
            without a default are positional.
        prog: The words before the options, for the help.
        arguments: The words after `prog`.
        has_json: Whether ``--json`` is also an option.
        left_out: An instance of the dataclass with values for the omitted options; without it they
            have their defaults.

    Raises:
        UsageError: The command line is invalid.
        SystemExit: The command line has ``--help``; the help was printed.
    """
    accepted = with_json(options) if has_json else options
    names = [f"--{field.name.replace('_', '-')}" for field in dataclasses.fields(accepted)]

    def refuse(event: _errors.ParseErrorEvent) -> None:
        sentence = _unknown(arguments, names) or _sentence(event)
        if sentence is not None:
            raise UsageError(f"{sentence} ({prog} --help)")

    omitted = {} if left_out is None else _values(left_out)
    # tyro would turn a flag whose default is True into one that clears it.
    flags = {name: True for name, value in omitted.items() if value is True}
    more = {"default": accepted(**omitted | dict.fromkeys(flags, False))} if omitted else {}
    tyro._experimental_options["ansi_codes"] = wants_color(sys.stdout)
    with _errors.on_parse_error(refuse):
        parsed: Any = tyro.cli(
            accepted,
            prog=prog,
            description=options.__doc__,
            args=list(arguments),
            config=CONFIG,
            **more,
        )
    values = _values(parsed) | flags
    for name, value in values.items():
        if _STREAM in (value if isinstance(value, tuple) else (value,)):
            raise UsageError(
                f"{name} must name a file or a folder, not -: no command reads standard input or "
                "writes files to standard output"
            )
    as_json = values.pop("json", False) if has_json else False
    return options(**values), as_json


def _values(options: Any) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}


def with_json(options: type) -> type:
    """Return the dataclass with an option `json`."""
    flag = ("json", Annotated[bool, conf.arg(help=_JSON_HELP)], dataclasses.field(default=False))
    return dataclasses.make_dataclass(options.__name__, [flag], bases=(options,), frozen=True)


def _unknown(arguments: Sequence[str], names: Sequence[str]) -> str | None:
    """Return an error for the first unknown option, whatever else is wrong, or None."""
    for token in arguments:
        flag = token.partition("=")[0].replace("_", "-")
        if _FLAG.match(flag) and flag not in names:
            return f"there is no option {token.partition('=')[0]}{did_you_mean(flag, names)}"
    return None


def _sentence(event: _errors.ParseErrorEvent) -> str | None:
    """Return the error in one sentence; None where tyro's own message is better."""
    if isinstance(event, _errors.UnrecognizedArgs):
        return f"unexpected argument {event.tokens[0]!r}"
    if isinstance(event, _errors.MissingArgs):
        missing = [context.arg.field.extern_name for context in event.missing_arguments]
        return f"missing {' and '.join(name.upper() for name in missing)}"
    if isinstance(event, _errors.InvalidChoice):
        near = did_you_mean(event.value, event.choices)
        return f"{_name(event.argument)} must be one of {', '.join(event.choices)}{near}"
    if isinstance(event, _errors.BadValue):
        return f"{_name(event.argument)} needs a value"
    if isinstance(event, _errors.InstantiationFailure) and event.argument is not None:
        tried = re.search(r"\[(.*?)\] does not match", event.message)  # for an optional value
        reason = tried[1] if tried else event.message.partition(": ")[2] or event.message
        expected = str(event.argument.lowered.metavar).replace("{None}|", "")
        return f"{_name(event.argument)} takes {expected}: {' '.join(reason.split())}"
    return None


def _name(argument: Any) -> str:
    """Return an option as on the command line."""
    if argument.is_positional():
        return str(argument.field.extern_name).upper()
    return f"--{str(argument.field.extern_name).replace('_', '-')}"

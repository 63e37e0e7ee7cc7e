"""Options from a command line: dataclasses are read by tyro, faults are told in one sentence."""

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
"""How dataclasses become options: what has no default goes by its place, flags have no negation."""
_FLAG: Final = re.compile("--?[a-z]", re.IGNORECASE)
"""What is meant as an option, not as a number below 0."""
_STREAM: Final = Path("-")
_JSON_HELP: Final = "Print the result as JSON; all else goes to standard error."


class UsageError(ImpulseError, ValueError):
    """A command line cannot be understood; the message says what is wrong and what is near."""


def parse(
    options: type, prog: str, arguments: Sequence[str], has_json: bool, left_out: Any = None
) -> tuple[Any, bool]:
    """Return the options that a command line asks for, and whether its result is wanted as JSON.

    Args:
        options: A dataclass; each field is an option, the docstring below it the help. Fields
            without a default are given by their place.
        prog: What stands before the options.
        arguments: What was typed after it.
        has_json: Whether ``--json`` is an option, too.
        left_out: An instance of the dataclass with the values of options that were not typed;
            without one they have their defaults.

    Raises:
        UsageError: The command line cannot be understood.
        SystemExit: The help was asked for, and printed.
    """
    shown = with_json(options) if has_json else options
    names = [f"--{field.name.replace('_', '-')}" for field in dataclasses.fields(shown)]

    def refuse(event: _errors.ParseErrorEvent) -> None:
        sentence = _unknown(arguments, names) or _sentence(event)
        if sentence is not None:
            raise UsageError(f"{sentence} ({prog} --help)")

    kept = {} if left_out is None else _values(left_out)
    # A flag that is set already would turn into one that takes it away.
    flags = {name: True for name, value in kept.items() if value is True}
    more = {"default": shown(**kept | dict.fromkeys(flags, False))} if kept else {}
    tyro._experimental_options["ansi_codes"] = wants_color(sys.stdout)
    with _errors.on_parse_error(refuse):
        given: Any = tyro.cli(
            shown,
            prog=prog,
            description=options.__doc__,
            args=list(arguments),
            config=CONFIG,
            **more,
        )
    values = _values(given) | flags
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
    """Return which option there is not, whatever else is wrong; None if there are all."""
    for token in arguments:
        flag = token.partition("=")[0].replace("_", "-")
        if _FLAG.match(flag) and flag not in names:
            return f"there is no option {token.partition('=')[0]}{did_you_mean(flag, names)}"
    return None


def _sentence(event: _errors.ParseErrorEvent) -> str | None:
    """Return what is wrong; None for what tyro tells better itself."""
    if isinstance(event, _errors.UnrecognizedArgs):
        return f"there is no place for {event.tokens[0]!r}"
    if isinstance(event, _errors.MissingArgs):
        missing = [context.arg.field.extern_name for context in event.missing_arguments]
        return f"{' and '.join(name.upper() for name in missing)} must be given"
    if isinstance(event, _errors.InvalidChoice):
        near = did_you_mean(event.value, event.choices)
        return f"{_name(event.argument)} must be one of {', '.join(event.choices)}{near}"
    if isinstance(event, _errors.BadValue):
        return f"{_name(event.argument)} needs a value"
    if isinstance(event, _errors.InstantiationFailure) and event.argument is not None:
        tried = re.search(r"\[(.*?)\] does not match", event.message)  # where None is a value, too
        reason = tried[1] if tried else event.message.partition(": ")[2] or event.message
        wanted = str(event.argument.lowered.metavar).replace("{None}|", "")
        return f"{_name(event.argument)} takes {wanted}: {' '.join(reason.split())}"
    return None


def _name(argument: Any) -> str:
    """Return an option as it is typed."""
    if argument.is_positional():
        return str(argument.field.extern_name).upper()
    return f"--{str(argument.field.extern_name).replace('_', '-')}"

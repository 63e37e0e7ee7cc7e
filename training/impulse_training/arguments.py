"""A command's arguments from a dataclass: the fields are the options, their notes the help."""

import argparse
from collections.abc import Sequence
from dataclasses import MISSING, fields
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

A = TypeVar("A")


def parse(kind: type[A], command: str, arguments: Sequence[str] | None = None) -> A:
    """Return what was given on the command line, or in `arguments`.

    Args:
        kind: A dataclass whose fields are ``Annotated[type, "what it means"]``; a type may be an
            alternative to None, or a tuple of any length. A field with a default is an option; one
            without is given by its place. A bool is False, and True if its option is there.
        command: What is typed before the options; `kind`'s docstring describes it.
        arguments: Instead of the command line.
    """
    parser = argparse.ArgumentParser(
        prog=command,
        description=kind.__doc__,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):  # type: ignore[arg-type]
        note = hints[field.name].__metadata__[0]
        read, count = _reader(get_args(hints[field.name])[0])
        if field.default is MISSING:
            count = "+" if count else None
            parser.add_argument(field.name, type=read, nargs=count, help=note)
            continue
        name = "--" + field.name.replace("_", "-")
        if read is bool:
            parser.add_argument(name, action="store_true", help=note)
            continue
        parser.add_argument(name, type=read, nargs=count, default=field.default, help=note)
    given = vars(parser.parse_args(arguments))
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()})


def _reader(hint: Any) -> tuple[type, str | None]:
    """Return the type of one value and how many there are, None for exactly one."""
    alternatives = [h for h in get_args(hint) if h is not NoneType]
    if get_origin(hint) is tuple:
        return alternatives[0], "*"
    return (alternatives[0] if alternatives else hint), None

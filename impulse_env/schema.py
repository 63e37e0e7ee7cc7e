"""Validation of JSON against types; an error names the place and the allowed values.

A type is a dataclass whose annotations give the types of its fields, with ranges as `msgspec.Meta`.
Types may be nested.
"""

import json
import re
import reprlib
from dataclasses import fields, is_dataclass
from typing import Any, Final, TypeVar

import msgspec

from impulse_env.errors import ImpulseError, did_you_mean

T = TypeVar("T")

_FAULT: Final = re.compile(
    r"(?P<what>.*?)(, got .*?)?( - at `(key in `)?\$(?P<at>.*?)`)?", re.DOTALL
)
"""The format of an error message of `msgspec`."""
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]")
_WORDS: Final = {
    "`": "",
    "|": "or",
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


class SchemaError(ImpulseError, ValueError):
    """JSON does not match its type; the message names the place, but not the file."""


def read_json(content: bytes | str, kind: type[T], at: str = "") -> T:
    """Return the value of a JSON text, as an instance of a type.

    Args:
        content: The text.
        kind: The type.
        at: The place of the text, for messages.

    Raises:
        SchemaError: The text is not JSON, or does not match the type.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"{at or 'it'} is not JSON, or cut off") from error
    return checked(value, kind, at)


def checked(value: Any, kind: type[T], at: str = "") -> T:
    """Return a JSON value as an instance of a type.

    A bool is not accepted as a number, and NaN and infinity are not accepted where a range is
    given. Fields without a default are required. A `msgspec.Struct` ignores unknown fields; a
    dataclass rejects them.

    Args:
        value: The result of `json.loads`.
        kind: The type.
        at: The place of the value, for messages.

    Raises:
        SchemaError: The value does not match the type.
    """
    try:
        made = msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise SchemaError(_sentence(value, str(error), at)) from error
    _check_names(value, made, at)
    return made


def _check_names(value: Any, made: Any, at: str) -> None:
    """Raise `SchemaError` for a field that a dataclass does not have."""
    if is_dataclass(made):
        known = [field.name for field in fields(made)]
        for name in value:
            if name not in known:
                raise SchemaError(
                    f"{at or 'it'} has an unknown field {reprlib.repr(name)}"
                    f"{did_you_mean(str(name)[:100], known)} (there are {', '.join(known)})"
                )
            _check_names(value[name], getattr(made, name), f"{at}.{name}".lstrip("."))
    elif isinstance(made, list | tuple):
        for number, (its, one) in enumerate(zip(value, made, strict=True)):
            _check_names(its, one, f"{at}[{number}]")


def _sentence(value: Any, message: str, above: str) -> str:
    """Return a sentence with the place of a fault, the allowed values and the actual value."""
    fault = _FAULT.fullmatch(message)
    what, at = (fault["what"], fault["at"] or "") if fault else (message, "")
    field = f"{above}{at}".lstrip(".") or "it"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
        return f"{field} has no {missing[1]}"
    if not what.startswith("Expected "):
        return f"{field}: {what}"
    allowed = " ".join(map(_word, what.removeprefix("Expected ").replace("`", "").split()))
    for name, number in _STEP.findall(at.partition("[...]")[0]):
        value = value[name] if name else value[int(number)]
    inside = "a value of " if "[...]" in at else ""
    return f"{inside}{field.replace('[...]', '')} must be {allowed}, not {reprlib.repr(value)}"


def _word(word: str) -> str:
    return _WORDS.get(word, word)

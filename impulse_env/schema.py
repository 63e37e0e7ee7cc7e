"""JSON against types: what does not fit is told by where it stands and what may be there.

A type is a dataclass whose annotations say what its fields may be, ranges as `msgspec.Meta`; and so
on within these.
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
"""What `msgspec` says of a fault."""
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
    """JSON is not what it may be; the message says where, and lacks the file's name."""


def read_json(content: bytes | str, kind: type[T], at: str = "") -> T:
    """Return what a text in JSON holds.

    Args:
        content: The text.
        kind: What it may be.
        at: Where it stands, for messages.

    Raises:
        SchemaError: It is no JSON, or holds something else.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"{at or 'it'} is no JSON, or cut off") from error
    return checked(value, kind, at)


def checked(value: Any, kind: type[T], at: str = "") -> T:
    """Return what JSON holds as that type.

    Truth values are no numbers, nor is what is not finite where a range is given. Every field has
    to be there that has no default; there may be others in a `msgspec.Struct`, in a dataclass none.

    Args:
        value: From `json.loads`.
        kind: What it may be.
        at: Where it stands, for messages.

    Raises:
        SchemaError: It is something else.
    """
    try:
        made = msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise SchemaError(_sentence(value, str(error), at)) from error
    _check_names(value, made, at)
    return made


def _check_names(value: Any, made: Any, at: str) -> None:
    """Raise `SchemaError` where there are fields that a dataclass does not have."""
    if is_dataclass(made):
        known = [field.name for field in fields(made)]
        for name in value:
            if name not in known:
                raise SchemaError(
                    f"{at or 'it'} has a field {reprlib.repr(name)} that is not known"
                    f"{did_you_mean(str(name)[:100], known)} (there are {', '.join(known)})"
                )
            _check_names(value[name], getattr(made, name), f"{at}.{name}".lstrip("."))
    elif isinstance(made, list | tuple):
        for number, (its, one) in enumerate(zip(value, made, strict=True)):
            _check_names(its, one, f"{at}[{number}]")


def _sentence(value: Any, said: str, above: str) -> str:
    """Return where a fault is, what may be there, and what is."""
    fault = _FAULT.fullmatch(said)
    what, at = (fault["what"], fault["at"] or "") if fault else (said, "")
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


def _word(said: str) -> str:
    return _WORDS.get(said, said)

"""Validation of JSON against types; an error names the place and the allowed values.

A type is a dataclass whose annotations give the types of its fields, with ranges as `msgspec.Meta`.
Types may be nested.
"""

import re
import reprlib
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from impulse_env.errors import ImpulseError, did_you_mean

T = TypeVar("T")

_FAULT: Final = re.compile(
    r"(?P<what>.*?)(, got .*?)?( - at `(key in `)?\$(?P<at>[\w.\[\]]*)`)?", re.DOTALL
)
"""The format of an error message of `msgspec`; only its first part can repeat the input."""
_LONGEST: Final = 500
"""Characters of the message that are read at each end."""
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
    "path": "a path",
}


class SchemaError(ImpulseError, ValueError):
    """JSON does not match its type; the message names the place, but not the file."""


def read_json(content: bytes | str, kind: type[T], at: str = "", *, is_secret: bool = False) -> T:
    """Return the value of a JSON text, as an instance of a type.

    Args:
        content: The text.
        kind: The type.
        at: The place of the value, for messages.
        is_secret: Whether messages must not repeat values.

    Raises:
        SchemaError: The text is not JSON, or does not match the type.
    """
    try:
        value = msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"{at or 'it'} is not JSON, or cut off: {error}") from error
    return checked(value, kind, at, is_secret=is_secret)


def checked(value: Any, kind: type[T], at: str = "", *, is_secret: bool = False) -> T:
    """Return a JSON value as an instance of a type.

    A bool is not accepted as a number, and NaN and infinity are not accepted where a range is
    given. Fields without a default are required. A `msgspec.Struct` ignores unknown fields unless
    it forbids them; a dataclass rejects them.

    Args:
        value: The decoded JSON: dictionaries, lists, strings, numbers, bools and None.
        kind: The type.
        at: The place of the value, for messages.
        is_secret: Whether messages must not repeat values.

    Raises:
        SchemaError: The value does not match the type.
    """
    try:
        made = msgspec.convert(value, kind, dec_hook=_path)
        stranger = _stranger(value, made)
    except (msgspec.ValidationError, RecursionError) as error:
        raise SchemaError(_sentence(value, kind, str(error), at, is_secret)) from error
    if stranger is not None:
        where, name, known = stranger
        raise SchemaError(_unknown(name, known, f"{at}{where}".lstrip(".") or "it"))
    return made


def _path(kind: type, value: Any) -> Path:
    """Return a path, the only type without support in `msgspec`."""
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError(f"Expected `{kind.__name__.lower()}`")


def _stranger(value: Any, made: Any) -> tuple[str, str, list[str]] | None:
    """Return the first unknown field of a dataclass: its place, its name, and the known names.

    Returns None if all fields are known.
    """
    kind = type(made)
    if is_dataclass(kind):
        known, deep = _fields(kind)
        for name in value:
            if name not in known:
                return "", name, known
        inside = [(f".{name}", value[name], getattr(made, name)) for name in deep if name in value]
    elif isinstance(made, list | tuple):
        pairs = zip(value, made, strict=True)
        inside = [(f"[{number}]", its, one) for number, (its, one) in enumerate(pairs)]
    else:
        return None
    for at, its, one in inside:
        if found := _stranger(its, one):
            return f"{at}{found[0]}", *found[1:]
    return None


@cache
def _fields(kind: type) -> tuple[list[str], list[str]]:
    """Return the fields of a dataclass, and those that can contain dataclasses."""
    (node,) = _alternatives(inspect.type_info(kind))
    assert isinstance(node, inspect.DataclassType)
    deep = [field.encode_name for field in node.fields if _has_dataclass(field.type)]
    return [field.encode_name for field in node.fields], deep


def _has_dataclass(node: inspect.Type) -> bool:
    """Whether a type is a dataclass, or a list or union of dataclasses."""
    if isinstance(node, inspect.UnionType):
        return any(map(_has_dataclass, node.types))
    if isinstance(node, inspect.ListType | inspect.VarTupleType):
        return _has_dataclass(node.item_type)
    return isinstance(node, inspect.DataclassType)


def _unknown(name: str, known: list[str], at: str) -> str:
    """Return the sentence about an unknown field, with the known ones."""
    return (
        f"{at} has an unknown field {reprlib.repr(name)}"
        f"{did_you_mean(name[:100], known)} (there are {', '.join(known)})"
    )


def _sentence(value: Any, kind: Any, said: str, above: str, is_secret: bool) -> str:
    """Return the sentence of an error: the place, the allowed values, and the value."""
    if len(said) > 2 * _LONGEST:  # it repeats a long input; the place comes last
        said = said[:_LONGEST] + said[-_LONGEST:]
    fault = _FAULT.fullmatch(said)
    what, at = (fault["what"], fault["at"] or "") if fault else (said, "")
    field = f"{above}{at}".lstrip(".") or "it"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
        return f"{field} has no {missing[1]}"
    steps = _STEP.findall(at.partition("[...]")[0])
    if unknown := re.fullmatch(r"Object contains unknown field `(.*?)`?", what, re.DOTALL):
        nodes = _within(kind, steps)
        known = [one.encode_name for node in nodes for one in getattr(node, "fields", ())]
        return _unknown(unknown[1], known, field)
    if what.startswith("Invalid "):
        words = [word for node in _within(kind, steps) for word in getattr(node, "values", ())]
        allowed = "one of " + ", ".join(map(repr, words))
    elif what.startswith("Expected "):
        allowed = " ".join(map(_word, what.removeprefix("Expected ").replace("`", "").split()))
    else:
        return what if field == "it" else f"{field}: {what}"
    for name, number in steps:
        value = value[name] if name else value[int(number)]
    inside = "a value of " if "[...]" in at else ""
    otherwise = "" if is_secret else f", not {reprlib.repr(value)}"
    return f"{inside}{field.replace('[...]', '')} must be {allowed}{otherwise}"


def _within(kind: Any, steps: list[tuple[str, str]]) -> tuple[inspect.Type, ...]:
    """Return the types allowed at a place in a type, including tagged ones."""
    nodes = _alternatives(inspect.type_info(kind))
    for name, _ in steps:
        inner: list[inspect.Type] = []
        for node in nodes:
            if isinstance(node, inspect.StructType) and node.tag_field == name:
                inner.append(inspect.LiteralType((node.tag,)))
            if isinstance(node, inspect.StructType | inspect.DataclassType):
                inner += [one.type for one in node.fields if one.encode_name == name]
            elif isinstance(node, inspect.ListType | inspect.VarTupleType):
                inner.append(node.item_type)
        nodes = tuple(one for part in inner for one in _alternatives(part))
    return nodes


def _alternatives(node: inspect.Type) -> tuple[inspect.Type, ...]:
    return node.types if isinstance(node, inspect.UnionType) else (node,)


def _word(word: str) -> str:
    return _WORDS.get(word, word)

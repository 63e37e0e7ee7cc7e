"""JSON against types: what does not fit is told by where it stands and what may be there.

A type is a dataclass whose annotations say what its fields may be, ranges as `msgspec.Meta`; and so
on within these.
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
"""What `msgspec` says of a fault, and where it is; what was read can be in the first part alone."""
_LONGEST: Final = 500
"""Characters of that at either end: more are not looked at."""
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
    """JSON is not what it may be; the message says where, and lacks the file's name."""


def read_json(content: bytes | str, kind: type[T], at: str = "", *, is_secret: bool = False) -> T:
    """Return what a text in JSON holds.

    Args:
        content: The text.
        kind: What it may be.
        at: Where it stands, for messages.
        is_secret: Whether messages do not repeat values.

    Raises:
        SchemaError: It is no JSON, or holds something else.
    """
    try:
        value = msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"{at or 'it'} is no JSON, or cut off: {error}") from error
    return checked(value, kind, at, is_secret=is_secret)


def checked(value: Any, kind: type[T], at: str = "", *, is_secret: bool = False) -> T:
    """Return what JSON holds as that type.

    Truth values are no numbers, nor is what is not finite where a range is given. Every field has
    to be there that has no default; there may be others in a `msgspec.Struct` that does not forbid
    it, in a dataclass none.

    Args:
        value: What JSON holds: objects as dictionaries, lists, texts, numbers.
        kind: What it may be.
        at: Where it stands, for messages.
        is_secret: Whether messages do not repeat values.

    Raises:
        SchemaError: It is something else.
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
    """Return a path, the only type that `msgspec` does not know by itself."""
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError(f"Expected `{kind.__name__.lower()}`")


def _stranger(value: Any, made: Any) -> tuple[str, str, list[str]] | None:
    """Return the first field that a dataclass does not have: where, its name, and which there are.

    None if there is none.
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
    """Return the fields of a dataclass, and those of them in which dataclasses may be."""
    (node,) = _alternatives(inspect.type_info(kind))
    assert isinstance(node, inspect.DataclassType)
    deep = [field.encode_name for field in node.fields if _has_dataclass(field.type)]
    return [field.encode_name for field in node.fields], deep


def _has_dataclass(node: inspect.Type) -> bool:
    """Whether a type is a dataclass, or a list or a choice of such."""
    if isinstance(node, inspect.UnionType):
        return any(map(_has_dataclass, node.types))
    if isinstance(node, inspect.ListType | inspect.VarTupleType):
        return _has_dataclass(node.item_type)
    return isinstance(node, inspect.DataclassType)


def _unknown(name: str, known: list[str], at: str) -> str:
    """Return that there is no such field, and which there are."""
    return (
        f"{at} has a field {reprlib.repr(name)} that is not known"
        f"{did_you_mean(name[:100], known)} (there are {', '.join(known)})"
    )


def _sentence(value: Any, kind: Any, said: str, above: str, is_secret: bool) -> str:
    """Return where a fault is, what may be there, and what is."""
    if len(said) > 2 * _LONGEST:  # it repeats a long text that was read; where it is comes last
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
    """Return the types that may stand at a place in a type, those that a field tells apart too."""
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


def _word(said: str) -> str:
    return _WORDS.get(said, said)

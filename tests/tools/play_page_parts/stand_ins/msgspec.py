"""In place of msgspec, whose compiled code the page has not: structs, and JSON as a type.

It checks types, but not ranges: all values come from the page itself.
"""

import dataclasses
import inspect
import json as _json
import sys
import types
import typing


class ValidationError(ValueError):
    """A value does not match a type."""


class Meta:
    """A range, which is not checked."""

    def __init__(self, **ranges):
        self.ranges = ranges


def field(**options):
    """Return a field with options."""
    return dataclasses.field(**options)


class Struct:
    """A dataclass."""

    forbids_unknown = False

    def __init_subclass__(
        cls, kw_only=False, tag=None, tag_field=None, forbid_unknown_fields=None, **options
    ):
        """Make a dataclass of the subclass."""
        for name in inspect.get_annotations(cls):
            default = cls.__dict__.get(name)
            if isinstance(default, list | dict):
                setattr(cls, name, dataclasses.field(default_factory=type(default)))
        if forbid_unknown_fields is not None:
            cls.forbids_unknown = forbid_unknown_fields
        cls.tag_field = tag_field or getattr(cls, "tag_field", "type")
        cls.tag_rule = staticmethod(tag) if callable(tag) else getattr(cls, "tag_rule", None)
        cls.tag = tag if isinstance(tag, str) else cls.tag_rule and cls.tag_rule(cls.__name__)
        cls.__struct_config__ = types.SimpleNamespace(tag=cls.tag)
        dataclasses.dataclass(kw_only=kw_only)(cls)


def convert(value, kind, dec_hook=None):
    """Return a JSON value as an instance of a type; raises `ValidationError`."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return convert(value, inside[0])
    if origin in (typing.Union, types.UnionType):
        return _one_of(value, inside)
    if origin is typing.Literal:
        return _expected(value, value in inside, kind)
    if origin in (list, tuple):
        _expected(value, isinstance(value, list), kind)
        return origin(convert(one, inside[0]) for one in value)
    if origin is dict:
        _expected(value, isinstance(value, dict), kind)
        return {key: convert(one, inside[1]) for key, one in value.items()}
    if kind is typing.Any:
        return value
    if dataclasses.is_dataclass(kind):
        return _made(_expected(value, isinstance(value, dict), kind), kind)
    if kind is float and type(value) is int:
        return float(value)
    return _expected(value, value is None if kind is type(None) else type(value) is kind, kind)


def _one_of(value, kinds):
    if isinstance(value, dict):
        tagged = [one for one in kinds if getattr(one, "tag", None) is not None]
        kinds = [one for one in tagged if value.get(one.tag_field) == one.tag] or kinds
    for kind in kinds:
        try:
            return convert(value, kind)
        except ValidationError as error:
            last = error
    raise last


def _expected(value, is_so, kind):
    if not is_so:
        raise ValidationError(f"expected {kind}, not {value!r}")
    return value


def _made(value, kind):
    hints = typing.get_type_hints(kind, include_extras=True)
    tag = kind.tag_field if getattr(kind, "tag", None) is not None else None
    given = {name: one for name, one in value.items() if name != tag}
    unknown = set(given) - set(hints)
    if unknown and getattr(kind, "forbids_unknown", True):  # a dataclass has no such choice
        raise ValidationError(f"unknown fields: {', '.join(sorted(unknown))}")
    given = {name: one for name, one in given.items() if name not in unknown}
    try:
        return kind(**{name: convert(one, hints[name]) for name, one in given.items()})
    except TypeError as error:
        raise ValidationError(str(error)) from error


class _Decoder:
    def __init__(self, kind=typing.Any):
        self.kind = kind

    def decode(self, content):
        return convert(_json.loads(content), self.kind)


def _decode(content, type=typing.Any):
    return _Decoder(type).decode(content)


def _encode(value):
    text = _json.dumps(value, default=dataclasses.asdict, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


json = types.SimpleNamespace(Decoder=_Decoder, decode=_decode, encode=_encode)
structs = sys.modules["msgspec.structs"] = types.ModuleType("msgspec.structs")
structs.replace, structs.astuple = dataclasses.replace, dataclasses.astuple

"""In place of `impulse_env.schema`: JSON as a type, with short messages."""

import msgspec

from impulse_env.errors import ImpulseError


class SchemaError(ImpulseError, ValueError):
    """JSON does not match its type."""


def read_json(content, kind, at="", *, is_secret=False):
    """Return the value of a JSON text, as an instance of a type."""
    try:
        value = msgspec.json.decode(content)
    except ValueError as error:
        raise SchemaError(f"{at or 'it'} is not JSON: {error}") from error
    return checked(value, kind, at, is_secret=is_secret)


def checked(value, kind, at="", *, is_secret=False):
    """Return a JSON value as an instance of a type."""
    try:
        return msgspec.convert(value, kind)
    except (TypeError, ValueError) as error:
        otherwise = "" if is_secret else f": {error}"
        raise SchemaError(f"{at or 'it'} is invalid{otherwise}") from error

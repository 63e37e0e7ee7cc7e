"""Standard streams that accept every character in any encoding, and are always open.

A character that the encoding lacks becomes similar ASCII characters.
"""

import codecs
import os
import sys
import unicodedata
from contextlib import suppress
from io import TextIOWrapper
from typing import Final

PLAIN: Final = {
    **dict.fromkeys("‐‑‒–—―−─━", "-"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("│┃", "|"),
    **dict.fromkeys("·•★", "*"),
    "±": "+-",
    "×": "x",
    "µ": "u",
    "∞": "inf",
    "≈": "~",
    "≤": "<=",
    "≥": ">=",
    "←": "<-",
    "→": "->",
}
"""ASCII substitutes; `unicodedata` decomposes letters with accents."""
_HANDLER: Final = "impulse_plain"
_BYTES: Final = range(0xDC80, 0xDD00)
"""Code points for undecodable bytes of file names; see `os.fsdecode`."""


def plain(character: str) -> str:
    """Return ASCII characters for a character; ``?`` where there is no substitute."""
    parts = unicodedata.normalize("NFKD", character)
    substitute = PLAIN.get(character) or "".join(PLAIN.get(part, part) for part in parts)
    ascii_part = "".join(filter(str.isascii, substitute))
    return ascii_part or ("" if unicodedata.combining(character) else "?")


def prepare() -> None:
    """Open closed standard streams on the null device, and let all accept every character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = open(os.devnull, mode, encoding="utf-8")
            os.set_inheritable(nothing.fileno(), True)
            setattr(sys, name, nothing)
    out = sys.stdout
    if isinstance(out, TextIOWrapper) and out is sys.__stdout__ and out.write_through:
        # Line-buffered in spite of PYTHONUNBUFFERED: after a failed write the text stays in the
        # buffer, so that the next flush reports the error.
        sys.stdout = open(out.fileno(), "w", 1, encoding=out.encoding, closefd=False)
    codecs.register_error(_HANDLER, _substituted)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _HANDLER), (sys.stderr, _HANDLER)):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    # Child processes have their own streams, and agents may print to them.
    encoding = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
    os.environ["PYTHONIOENCODING"] = f"{encoding}:backslashreplace"


def give_up() -> None:
    """Discard the text that streams cannot write: Python would report an error at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _substituted(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace the first character that an encoding lacks; an error handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if ord(character) in _BYTES:
        return bytes([ord(character) - 0xDC00]), error.start + 1
    return plain(character), error.start + 1

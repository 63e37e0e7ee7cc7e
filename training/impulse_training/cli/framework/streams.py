"""Standard streams that take every character, whatever their encoding, and that are always open.

A character that a stream's encoding lacks is written as plain characters that say the same.
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
"""Plain characters that say the same; `unicodedata` takes letters with accents apart."""
_HANDLER: Final = "impulse_plain"
_BYTES: Final = range(0xDC80, 0xDD00)
"""What stands for the bytes of a file's name that are no text; see `os.fsdecode`."""


def plain(character: str) -> str:
    """Return ASCII characters that say the same as a character; ``?`` where none do."""
    parts = unicodedata.normalize("NFKD", character)
    found = PLAIN.get(character) or "".join(PLAIN.get(part, part) for part in parts)
    left = "".join(filter(str.isascii, found))
    return left or ("" if unicodedata.combining(character) else "?")


def prepare() -> None:
    """Open what is closed of the standard streams on nothing, and let them take every character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = open(os.devnull, mode, encoding="utf-8")
            os.set_inheritable(nothing.fileno(), True)
            setattr(sys, name, nothing)
    out = sys.stdout
    if isinstance(out, TextIOWrapper) and out is sys.__stdout__ and out.write_through:
        # By lines in spite of PYTHONUNBUFFERED: what fails stays in the buffer, which tells on it.
        sys.stdout = open(out.fileno(), "w", 1, encoding=out.encoding, closefd=False)
    codecs.register_error(_HANDLER, _substituted)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _HANDLER), (sys.stderr, _HANDLER)):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    # Processes that this one starts have streams of their own, into which agents may print.
    encoding = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
    os.environ["PYTHONIOENCODING"] = f"{encoding}:backslashreplace"


def give_up() -> None:
    """Let what streams hold and cannot write go nowhere: at exit it would be an error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _substituted(error: UnicodeError) -> tuple[str | bytes, int]:
    """Stand in for the first character that an encoding lacks: what `codecs` calls."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if ord(character) in _BYTES:
        return bytes([ord(character) - 0xDC00]), error.start + 1
    return plain(character), error.start + 1

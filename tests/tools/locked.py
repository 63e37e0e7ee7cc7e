"""The content of requirements.lock.

    python tests/tools/locked.py

This prints the versions alone, as pip's option `-c` takes them. Needs nothing but Python.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "requirements.lock"
_ENTRY = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\\n]+?))?"
    r"(?P<hashes>(?: \\\n    --hash=sha256:[0-9a-f]{64})*)\n"
    r"(?P<notes>(?:    # .*\n)*)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Pin:
    """A version of a package, and the files of it that may be installed.

    Attributes:
        name: As indexes normalize it: lower case, with hyphens.
        version: Without a local part.
        marker: On which machines it is this version; empty for all.
        hashes: SHA-256 of the files, in hexadecimal.
        notes: Comments that say who asks for it.
    """

    name: str
    version: str
    marker: str
    hashes: frozenset[str]
    notes: str

    def __str__(self) -> str:
        marker = f" ; {self.marker}" if self.marker else ""
        hashes = "".join(f" \\\n    --hash=sha256:{digest}" for digest in sorted(self.hashes))
        return f"{self.name}=={self.version}{marker}{hashes}\n{self.notes}"


@cache
def pins(text: str | None = None) -> tuple[Pin, ...]:
    """Return what a lock holds, in its order; without `text` the checkout's."""
    text = LOCK.read_text(encoding="utf-8") if text is None else text
    found = []
    for entry in _ENTRY.finditer(text):
        hashes = frozenset(re.findall(r"sha256:(\w+)", entry["hashes"]))
        pin = Pin(entry["name"], entry["version"], entry["marker"] or "", hashes, entry["notes"])
        found.append(pin)
    return tuple(found)


def versions() -> str:
    """Return a line for each pin, without hashes."""
    return "".join(
        f"{pin.name}=={pin.version}{f' ; {pin.marker}' if pin.marker else ''}\n" for pin in pins()
    )


if __name__ == "__main__":
    print(versions(), end="")

"""Whether this code lies in a checkout of the project, or was installed from a wheel."""

import tomllib
from pathlib import Path
from typing import Final

PROJECT: Final = "impulse-env"
"""The project's name in its pyproject.toml."""
_PLACE: Final = Path("training/impulse_training/run/provenance/checkout.py")
"""Where in a checkout this file lies."""


def checkout(source: Path = Path(__file__)) -> Path | None:
    """Return the top folder of the checkout that this code lies in, None if it is installed.

    An environment may lie in a checkout, of this project even: what is installed there counts as
    installed.

    Args:
        source: This file.
    """
    source = source.resolve()
    top = source.parents[len(_PLACE.parts) - 1]
    if top / _PLACE != source:
        return None
    try:
        project = tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return top if project.get("project", {}).get("name") == PROJECT else None

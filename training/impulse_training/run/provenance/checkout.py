"""Finds the checkout of the project that this code runs from, if it is not installed."""

import tomllib
from pathlib import Path
from typing import Final

PROJECT: Final = "impulse-env"
"""The project's name in pyproject.toml."""
_PLACE: Final = Path("training/impulse_training/run/provenance/checkout.py")
"""The path of this file in a checkout."""


def checkout(source: Path = Path(__file__)) -> Path | None:
    """Return the top folder of this code's checkout, or None if the code is installed.

    Code in a virtual environment inside a checkout counts as installed.

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

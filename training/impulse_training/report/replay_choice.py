"""The games of a report that get replay pages."""

from typing import Literal

Replays = Literal["none", "notable", "all"]
"""All games, the notable ones, or none."""

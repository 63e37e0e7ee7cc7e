"""Of which games a report has pages."""

from typing import Literal

Replays = Literal["none", "notable", "all"]
"""Of which games there are to be pages."""

"""Names for how games end and where points come from, for records, tables and tournaments."""

from typing import Final, Literal, TypeAlias

from impulse_env.engine.constants import (
    TRUNCATED,
    WON_BY_ELIMINATION,
    WON_BY_SCORE,
    PointSource,
    State,
)

End: TypeAlias = Literal["score", "elimination", "truncation", "stopped", "failed"]
"""How a game ended.

score        a side won by points
elimination  a side won as the last one left
truncation   the game reached its turn limit
stopped      the players left before the end
failed       an agent failed
"""
END_BY_STATUS: Final[dict[int, End]] = {
    WON_BY_SCORE: "score",
    WON_BY_ELIMINATION: "elimination",
    TRUNCATED: "truncation",
}
"""The end of a finished game, by the record's ``status``."""
STOPPED: Final = "stopped"
FAILED: Final = "failed"
ENDS: Final[tuple[End, ...]] = (*END_BY_STATUS.values(), STOPPED, FAILED)

SOURCES: Final = tuple(source for source in PointSource if source != PointSource.GIVEN)
"""Sources of points in play, in the order of the record's ``points``.

`PointSource.GIVEN` is left out: it holds points of a position that does not name their source.
"""
SOURCE_NAMES: Final = tuple(source.name.lower() for source in SOURCES)


def turn_number(state: State) -> int:
    """Return the number of the turn that a game is in, or ended in; the first is 1.

    The record's own ``turn`` counts completed turns. A truncated game completed its last turn.
    """
    return int(state["turn"]) + int(state["status"] != TRUNCATED)

"""Words for how games end and where points come from: of records, tables and tournaments."""

from typing import Final, Literal, TypeAlias

from impulse_env.engine.constants import (
    TRUNCATED,
    WON_BY_ELIMINATION,
    WON_BY_SCORE,
    PointSource,
    State,
)

End: TypeAlias = Literal["score", "elimination", "truncation", "stopped", "failed"]
"""How a game ended: won by points, won as the last side that is left, out of turns, left before it
was over, or given up because an agent failed."""
END_BY_STATUS: Final[dict[int, End]] = {
    WON_BY_SCORE: "score",
    WON_BY_ELIMINATION: "elimination",
    TRUNCATED: "truncation",
}
"""The ends of games that are over, by the record's ``status``."""
STOPPED: Final = "stopped"
FAILED: Final = "failed"
ENDS: Final[tuple[End, ...]] = (*END_BY_STATUS.values(), STOPPED, FAILED)

SOURCES: Final = tuple(source for source in PointSource if source != PointSource.GIVEN)
"""Where points come from in play, the first of the record's ``points``; what remains is given by a
position that does not say."""
SOURCE_NAMES: Final = tuple(source.name.lower() for source in SOURCES)


def turn_number(state: State) -> int:
    """Return which turn a game is in, or ended in, as people count: the first is 1.

    The record's own ``turn`` counts those that were completed, as a truncated game's last one was.
    """
    return int(state["turn"]) + int(state["status"] != TRUNCATED)

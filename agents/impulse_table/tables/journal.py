"""What has happened at a table, in English, for each pair of eyes at it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from impulse_env.engine.constants import Action, Seat
from impulse_env.game import Game
from impulse_env.information import as_seen
from impulse_env.text.events import Event, what_happened

Viewer = Seat | None
"""A seat, or None for what everybody sees."""


@dataclass(frozen=True)
class Entry:
    """A decision that was taken and what came of it.

    Attributes:
        step: Its number, from 0.
        seat: Who took it.
        events: What happened, as each pair of eyes saw it.
    """

    step: int
    seat: Seat
    events: dict[Viewer, list[Event]]

    def seen_by(self, by: Viewer) -> dict[str, Any]:
        """Return the entry as these eyes see it, JSON-able."""
        events = [{"kind": event.kind, "text": event.text} for event in self.events[by]]
        return {"step": self.step, "seat": self.seat, "events": events}


def take(game: Game, action: Action, step: int, viewers: Iterable[Viewer]) -> Entry:
    """Take a decision and return what these eyes see of it; raises `IllegalActionError`."""
    before = {by: as_seen(game.state, by) for by in viewers}
    seat = game.seat
    game.step(action)
    assert seat is not None, "a game that is over takes no step"
    return Entry(
        step,
        seat,
        {by: what_happened(view, action, as_seen(game.state, by)) for by, view in before.items()},
    )

"""The events of a table, in English, as each viewer sees them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from impulse_env.engine.constants import Action, Seat
from impulse_env.game import Game
from impulse_env.information import as_seen
from impulse_env.text.events import Event, what_happened

Viewer = Seat | None
"""A seat; None: somebody who sees only what everybody sees."""


@dataclass(frozen=True)
class Entry:
    """A decision and its events.

    Attributes:
        step: The number of the decision, from 0.
        seat: The seat that took it.
        events: The events, as each viewer saw them.
    """

    step: int
    seat: Seat
    events: dict[Viewer, list[Event]]

    def seen_by(self, by: Viewer) -> dict[str, Any]:
        """Return the entry as a viewer sees it, JSON-able."""
        events = [{"kind": event.kind, "text": event.text} for event in self.events[by]]
        return {"step": self.step, "seat": self.seat, "events": events}


def take(game: Game, action: Action, step: int, viewers: Iterable[Viewer]) -> Entry:
    """Take a decision and return its entry for these viewers; raises `IllegalActionError`."""
    before = {by: as_seen(game.state, by) for by in viewers}
    seat = game.seat
    game.step(action)
    assert seat is not None, "a finished game takes no step"
    return Entry(
        step,
        seat,
        {by: what_happened(view, action, as_seen(game.state, by)) for by, view in before.items()},
    )

"""The game at each decision of a record, from a viewer's point of view."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from impulse_env.engine.constants import Seat, State
from impulse_env.errors import ImpulseError
from impulse_env.game import Decision, Game
from impulse_env.information import EVERYTHING, as_seen
from impulse_env.records.record import Annotation, Move, Record
from impulse_env.text.describe import kind_of, prompt_of
from impulse_env.text.events import Event, what_happened

Viewer = Seat | str | None
"""A viewer: a seat, None for public information only, or `EVERYTHING`, which sees all cards."""


class ViewerError(ImpulseError, ValueError):
    """A viewer does not exist, or may not see the content; the message says which may."""


@dataclass(frozen=True)
class Choice:
    """A legal action.

    Attributes:
        name: Its stable name.
        text: Its meaning now.
        probability: An agent's probability of taking it; None if not recorded.
    """

    name: str
    text: str
    probability: float | None = None


@dataclass(frozen=True)
class Step:
    """A game at a decision or at its end, from a viewer's point of view.

    Attributes:
        number: Number of earlier decisions.
        state: The record, with hidden fields blank.
        happened: The events of the previous decision.
        seat: The seat that decides, None at the end.
        decision: The pending decision.
        choices: The legal actions; empty for viewers that may not know all of them.
        chosen: The name of the chosen one; None at the end and for such viewers.
        note: An agent's notes on the decision; None for such viewers.
    """

    number: int
    state: State
    happened: tuple[Event, ...]
    seat: Seat | None
    decision: Decision
    choices: tuple[Choice, ...] = ()
    chosen: str | None = None
    note: Annotation | None = None


def viewer_of(word: str, players: int) -> Viewer:
    """Return the viewer of "all", "public" or the number of a seat; raises `ViewerError`."""
    if word == EVERYTHING:
        return EVERYTHING
    if word == "public":
        return None
    if word.isdecimal() and int(word) < players:
        return int(word)
    raise ViewerError(
        f"the viewer must be all, public or a seat from 0 to {players - 1}, not {word!r}"
    )


def all_viewers(players: int) -> tuple[Viewer, ...]:
    """Return all viewers, beginning with the one that sees everything."""
    return (EVERYTHING, None, *range(players))


def steps(record: Record, by: Viewer) -> Iterator[Step]:
    """Yield the game at each decision and at the end.

    The legal actions, and an agent's notes on them, reveal the hand of the seat: only that seat and
    `EVERYTHING` see them.
    """
    before: State | None = None
    for number, game in enumerate(record.games()):
        state = as_seen(game.state.copy(), by)
        happened: tuple[Event, ...] = ()
        if before is not None:
            action = game.action(record.moves[number - 1].action)
            happened = tuple(what_happened(before, action, state))
        move = record.moves[number] if number < len(record.moves) else None
        yield _step(number, game, state, happened, move, by)
        before = state


def _step(
    number: int,
    game: Game,
    state: State,
    happened: tuple[Event, ...],
    move: Move | None,
    by: Viewer,
) -> Step:
    decision = Decision(kind_of(state), prompt_of(state))
    public = Step(number, state, happened, game.seat, decision)
    if game.seat is None or by not in (EVERYTHING, game.seat):
        return public
    note = None if move is None else move.note
    shares = {} if note is None else note.probabilities
    names = [game.name(action) for action in game.legal_actions()]
    choices = tuple(Choice(name, game.describe(name), shares.get(name)) for name in names)
    chosen = None if move is None else move.action
    return replace(public, choices=choices, chosen=chosen, note=note)

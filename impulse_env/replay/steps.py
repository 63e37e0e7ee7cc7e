"""The game at each decision of a record, as somebody sees it."""

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
"""Who looks: a seat, None for what everybody sees, `EVERYTHING` for what nobody may see, too."""


class ViewerError(ImpulseError, ValueError):
    """Nobody of that name looks; the message says who may."""


@dataclass(frozen=True)
class Choice:
    """A legal action.

    Attributes:
        name: Its stable name.
        text: What it means now.
        probability: With which an agent would take it; None if none says.
    """

    name: str
    text: str
    probability: float | None = None


@dataclass(frozen=True)
class Step:
    """A game as somebody sees it, at a decision or at its end.

    Attributes:
        number: Decisions taken before.
        state: The record, what is hidden blank.
        happened: What the decision before was, and what came of it.
        seat: Who decides, None at the end.
        decision: What is to be decided.
        choices: The legal actions; empty for eyes that may not know them all.
        chosen: Which of them is taken, None at the end and for such eyes.
        note: What an agent says of the decision, None for such eyes.
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
    """Return who looks by "all", "public" or the number of a seat; raises `ViewerError`."""
    if word == EVERYTHING:
        return EVERYTHING
    if word == "public":
        return None
    if word.isdecimal() and int(word) < players:
        return int(word)
    raise ViewerError(f"eyes are all, public or a seat from 0 to {players - 1}, not {word!r}")


def all_viewers(players: int) -> tuple[Viewer, ...]:
    """Return all who may look, those first who see everything."""
    return (EVERYTHING, None, *range(players))


def steps(record: Record, by: Viewer) -> Iterator[Step]:
    """Yield the game at each decision and at the end.

    What the legal actions are, and what an agent thinks of them, tells which cards the seat holds:
    that is for the seat's own eyes, and for those that see everything.
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
    shown = Step(number, state, happened, game.seat, decision)
    if game.seat is None or by not in (EVERYTHING, game.seat):
        return shown
    note = None if move is None else move.note
    shares = {} if note is None else note.probabilities
    names = [game.name(action) for action in game.legal_actions()]
    choices = tuple(Choice(name, game.describe(name), shares.get(name)) for name in names)
    chosen = None if move is None else move.action
    return replace(shown, choices=choices, chosen=chosen, note=note)

"""Branches of a recorded game: continuations with other choices.

The text of a branch is the step at which it leaves the game, and its choices from there. A choice
is the index of a legal action in ascending order: ``28~30c`` takes, at step 28, choice 3, then 0,
then 12. An index below 35 is a digit to base 36; a larger index is ``z`` and two digits for the
index minus 35. ``28`` is the step itself.

Hands and face-down cells are those of the game, because its page shows them anyway. Future draws
are not: at the step, the deck is shuffled and the generator replaced. The seed is the number of the
step, so a branch is always the same and all branches of a step draw the same cards. No branch shows
the draws of the game.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from impulse_env import drawing
from impulse_env.engine.constants import CARDS
from impulse_env.engine.rng import state_of_seed
from impulse_env.errors import ImpulseError
from impulse_env.game import Game
from impulse_env.information import as_seen
from impulse_env.outcomes import SOURCE_NAMES, turn_number
from impulse_env.records.record import Header, Move, Record
from impulse_env.replay.steps import Step, Viewer, steps
from impulse_env.replay.terminal import heading
from impulse_env.text.board import draw_text

LONGEST: Final = 1500
"""Highest number of choices in a branch, several times that of a game."""
_BASE: Final = 36
_ESCAPE: Final = _BASE - 1
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_WRITTEN: Final = re.compile(r"([0-9]{1,5})(?:~((?:[0-9a-y]|z[0-9a-z]{2})*))?")
_CHOICE: Final = re.compile(r"[0-9a-y]|z[0-9a-z]{2}")


class BranchError(ImpulseError, ValueError):
    """A branch does not exist; the message says why, and what is allowed."""


@dataclass(frozen=True)
class Branch:
    """The step at which a branch leaves a game, and its choices from there.

    Attributes:
        step: Number of decisions of the game before the branch.
        choices: Indices of legal actions in ascending order; empty: the step itself.
    """

    step: int
    choices: tuple[int, ...] = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the branch of a text, the inverse of `str`; raises `BranchError`."""
        match = _WRITTEN.fullmatch(text)
        if match is None:
            raise BranchError(
                f"{text[:40]!r} is not a position of a game: that is the number of a step, such as "
                "28, or a branch with ~ and its choices, such as 28~30c"
            )
        choices = tuple(map(_read_choice, _CHOICE.findall(match[2] or "")))
        if len(choices) > LONGEST:
            raise BranchError(f"a branch has at most {LONGEST} choices, not {len(choices)}")
        return cls(int(match[1]), choices)

    def __str__(self) -> str:
        choices = "".join(map(_written_choice, self.choices))
        return f"{self.step}~{choices}" if choices else str(self.step)


def _read_choice(code: str) -> int:
    return int(code, _BASE) if len(code) == 1 else _ESCAPE + int(code[1:], _BASE)


def _written_choice(number: int) -> str:
    if number < _ESCAPE:
        return _DIGITS[number]
    return "z" + "".join(_DIGITS[digit] for digit in divmod(number - _ESCAPE, _BASE))


def opened(record: Record, branch: Branch) -> list[Game]:
    """Return the game at the branch's step and after each of its choices.

    Raises:
        BranchError: The game does not have that step, or a choice is out of range.
    """
    if branch.step > len(record.moves):
        raise BranchError(f"there is no step {branch.step}: the last one is {len(record.moves)}")
    start = next(game for number, game in enumerate(record.games()) if number == branch.step)
    games = [_with_new_draws(start, branch.step)]
    for number, choice in enumerate(branch.choices):
        game = games[-1].copy()
        legal = game.legal_actions()
        if choice >= len(legal):
            there = "the game is over"
            if legal:
                there = f"the next is from 0 to {len(legal) - 1}, not {choice}"
            raise BranchError(
                f"the branch from step {branch.step} cannot be followed: after {number} choices "
                f"{there}"
            )
        game.step(legal[choice])
        games.append(game)
    return games


def _with_new_draws(game: Game, seed: int) -> Game:
    """Return a copy with the deck shuffled and the generator replaced."""
    state = game.state.copy()
    deck = state["deck"][: int(state["deck_count"])]
    order = sorted(range(len(deck)), key=lambda slot: state_of_seed((seed << 8) + slot))
    # Sorted first, so that the result does not depend on the previous order.
    deck[:] = np.sort(deck)[order]
    state["rng"] = state_of_seed((seed << 8) + CARDS)
    return Game.from_state(state)


# --- Data of a page ------------------------------------------------------------------------------


def shown(record: Record, branch: Branch, by: Viewer, first: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the positions of a branch as a page shows them, JSON-able.

    A position has these fields:

        seat     -1 once the game is over
        points   by seat and source
        events   kind, seat and text
        choices  name and text; empty for viewers that may not know them
        parts    those of the drawing that differ from the previous position

    Args:
        record: The game.
        branch: The branch.
        by: The viewer.
        first: Number of choices before the first position to yield.

    Raises:
        BranchError: The branch does not exist, or has fewer than `first` choices.
    """
    if not 0 <= first <= len(branch.choices):
        raise BranchError(f"first is from 0 to {len(branch.choices)}, not {first}")
    begin = max(first - 1, 0)
    games = opened(record, branch)[begin:]
    previous: dict[str, str] = {}
    for step in steps(_going_on(record, games, branch.choices[begin:]), by):
        parts = drawing.parts(step.state, by)
        if step.number + begin >= first:
            yield _position(step, {k: part for k, part in parts.items() if previous.get(k) != part})
        previous = parts


def _going_on(record: Record, games: list[Game], choices: tuple[int, ...]) -> Record:
    """Return the record of the branch from the first of these games on."""
    moves = []
    for game, choice in zip(games, choices, strict=False):
        assert game.seat is not None
        moves.append(Move(game.seat, game.name(game.legal_actions()[choice])))
    return Record(Header.of_game(games[0], record.header.agents), moves)


def _position(step: Step, parts: dict[str, str]) -> dict[str, Any]:
    state = step.state
    players = int(state["players"])
    # The texts of choices come from the step, which knows the viewers that may read them.
    return {
        "seat": -1 if step.seat is None else step.seat,
        "turn": turn_number(state),
        "scores": state["score"][:players].tolist(),
        "points": state["points"][:players, : len(SOURCE_NAMES)].tolist(),
        "prompt": step.decision.prompt,
        "events": [
            [event.kind, -1 if event.seat is None else event.seat, event.text]
            for event in step.happened
        ],
        "choices": [[choice.name, choice.text] for choice in step.choices],
        "parts": parts,
    }


def position_text(record: Record, branch: Branch, by: Viewer) -> str:
    """Return a position and its legal actions as a terminal shows them; raises `BranchError`."""
    *_, game = opened(record, branch)
    *_, step = steps(Record(Header.of_game(game, record.header.agents)), by)
    where = f"Step {branch.step}"
    if branch.choices:
        where += f" and {len(branch.choices)} more in a branch ({branch})"
    options = [f"  - {choice.text}" for choice in step.choices]
    lines = [f"{where}. {heading(record)}", "", draw_text(as_seen(game.state, by)), "", *options]
    return "\n".join(lines).rstrip() + "\n"

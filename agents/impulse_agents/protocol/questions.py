"""The lines about a decision, made from the view of the deciding seat alone."""

from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import IllegalAnswerError, ObservationBatch
from impulse_agents.protocol.messages import InfoKind, NewGame, Want, to_line
from impulse_env.actions import NAMES, UnknownActionError, action_of, with_name
from impulse_env.frame import own_frame
from impulse_env.language.view import view_data

_NAMES: Final = tuple(f'"{name}"' for name in NAMES)


@dataclass(frozen=True, slots=True)
class Question:
    """A decision of one row.

    Attributes:
        legal: The legal actions, absolute and ascending.
        own: The table from absolute actions to the seat's own ones, shape ``(N_ACTIONS,)``.
        seed: A random number for the program, from the row's generator.
        game: The number of the game, for the program.
        extra: The fields that the program asked for, as JSON after a comma; may be empty.
        opening: The line that begins the game; empty if the program knows the game.
    """

    legal: list[int]
    own: NDArray[np.int64]
    seed: int
    game: int
    extra: str
    opening: str

    def line(self, number: int) -> str:
        """Return the line of the question under a number, after the line that begins its game."""
        names = ",".join([_NAMES[action] for action in self.legal])
        return (
            f'{self.opening}{{"type":"choose","id":{number},"game":{self.game},"seed":{self.seed},'
            f'"legal":[{names}],"actions":{self.legal}{self.extra}}}\n'
        )

    def checked(self, action: str | int) -> int:
        """Return the action of an answer, absolute; raises `IllegalAnswerError`."""
        try:
            number = action_of(action) if isinstance(action, str) else action
        except UnknownActionError as error:
            raise IllegalAnswerError(str(error)) from error
        if number not in self.legal:
            names = ", ".join(NAMES[legal] for legal in self.legal)
            raise IllegalAnswerError(f"illegal action {with_name(number)}; legal are: {names}")
        return number


def question(
    seen: ObservationBatch,
    row: int,
    seed: int,
    game: int,
    is_new: bool,
    wants: Collection[Want],
    asked: tuple[InfoKind, int] | None = None,
) -> Question:
    """Return the question about the decision of a row.

    Args:
        seen: The knowledge of the deciding seats, with views.
        row: The row.
        seed: A random number.
        game: The number of its game.
        is_new: Whether the program does not know that game.
        wants: What the program wants to see.
        asked: What it should think about, with the largest number of suggestions or lines.
    """
    assert seen.views is not None
    seat = int(seen.seats[row])
    own = own_frame(int(seen.views[row]["players"]))[seat]
    legal = np.flatnonzero(seen.masks[row, own]).tolist()
    fields: dict[str, Any] = {}
    if wants:
        fields = _fields(seen, row, seed, wants, legal, own)
    if asked is not None:
        fields["info"], fields["count"] = asked
    extra = f",{msgspec.json.encode(fields).decode()[1:-1]}" if fields else ""
    opening = to_line(_new_game(seen, row, game)).decode() if is_new else ""
    return Question(legal, own, seed, game, extra, opening)


def _fields(
    seen: ObservationBatch,
    row: int,
    seed: int,
    wants: Collection[Want],
    legal: list[int],
    own: NDArray[np.int64],
) -> dict[str, Any]:
    """Return what the program wants to see, by the names of the fields."""
    seat, fields = int(seen.seats[row]), {}
    if "observation" in wants:
        fields["observation"] = seen.observations[row].tolist()
        fields["own"] = own[legal].tolist()
    if wants == {"observation"}:
        return fields
    view = seen.view(row)
    if "view" in wants:
        fields["view"] = view_data(view.state, seat)
    if "text" in wants:
        meanings = {NAMES[action]: view.describe(action) for action in legal}
        fields["text"] = {"prompt": view.decision.prompt, "actions": meanings}
    if "world" in wants:
        full = view.determinize(seat, np.random.default_rng(seed))
        fields["world"] = b64encode(full.to_bytes()).decode()
    return fields


def _new_game(seen: ObservationBatch, row: int, game: int) -> NewGame:
    """Return the message that begins the game of a row."""
    assert seen.views is not None
    state = seen.views[row]
    players, teams = int(state["players"]), int(state["teams"])
    team_size = players // teams if teams < players else None
    return NewGame(game, players, int(seen.seats[row]), team_size, int(state["target_score"]))

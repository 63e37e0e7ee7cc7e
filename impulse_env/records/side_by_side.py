"""Replay of many recorded games at once, with many decisions in one compiled call."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS, NAMES
from impulse_env.batch import NOBODY, step_games
from impulse_env.engine.state import STATE
from impulse_env.errors import RecordError
from impulse_env.frame import IDENTITY
from impulse_env.outcomes import END_BY_STATUS
from impulse_env.records.recorded_games import RecordedGame

_NO_OBSERVATIONS: Final = np.empty((0, 0), np.uint8)


def beginnings(plays: Sequence[RecordedGame]) -> np.ndarray:
    """Return the games at their beginnings, undealt where they begin with a seed, dtype `STATE`."""
    states = np.zeros(len(plays), STATE)
    for game, play in enumerate(plays):
        header = play.header
        if header.start is not None:
            states[game] = header.start.state
        else:
            assert header.seed is not None
            states[game] = header.options.new_states([header.seed])[0]
    return states


class SideBySide:
    """A replay of G recorded games.

    Each iteration yields the indices of the games that are at a decision, shape ``(k,)``; the
    arrays describe these games. The decisions are taken before the next iteration. A stopped game
    ends after its last recorded decision. A game that differs from its record raises `RecordError`.

    Attributes:
        plays: The games.
        states: Their current records, shape ``(G,)``, dtype `STATE`.
        seats: The seats that decide, shape ``(G,)``, int8.
        masks: Legal actions, shape ``(G, N_ACTIONS)``, int8, in the frame of `frames`.
        observations: Observations of the seats that decide, if an array was passed.
        actions: The recorded actions, shape ``(G,)``, int64, in the same frame.
        taken: Number of earlier recorded decisions, shape ``(G,)``, int64.
        is_forced: Whether the engine took this decision, which is then not recorded, shape
            ``(G,)``.
    """

    def __init__(
        self,
        plays: Sequence[RecordedGame],
        states: np.ndarray,
        forced: NDArray[np.bool_],
        frames: tuple[NDArray[np.int64], NDArray[np.int64]] = (IDENTITY, IDENTITY),
        observations: NDArray[np.uint8] = _NO_OBSERVATIONS,
    ) -> None:
        """Prepare the games.

        Args:
            plays: The recorded games.
            states: The result of `beginnings`; changed.
            forced: In which games decisions with one legal action are not recorded although the
                state stops at them, shape ``(G,)``.
            frames: The frames of actions and masks, see `step_games`; absolute by default.
            observations: The array for observations, see `step_games`; none by default.
        """
        count = len(plays)
        self.plays, self.states, self.observations = plays, states, observations
        self.masks = np.zeros((count, N_ACTIONS), np.int8)
        self.seats = np.full(count, NOBODY, np.int8)
        self.actions = np.zeros(count, np.int64)
        self.taken = np.zeros(count, np.int64)
        self.is_forced = np.zeros(count, np.bool_)
        self._forced, self._frames = forced, frames
        self._lengths = np.array([len(play.actions) for play in plays], np.int64)
        self._begins = np.cumsum(self._lengths) - self._lengths
        self._recorded = np.concatenate([np.empty(0, np.int64), *(p.actions for p in plays)])
        self._running = np.ones(count, np.bool_)

    def __iter__(self) -> Iterator[NDArray[np.intp]]:
        self._step()
        while len(games := self._decide()):
            yield games
            self.taken[games] += ~self.is_forced[games]
            self._step()
        self._check_ends()

    def _step(self) -> None:
        step_games(
            self.states, self.actions, self.masks, self.seats, self.observations, self._frames
        )

    def _decide(self) -> NDArray[np.intp]:
        """Fill in the next action of each game that continues; return the indices of these."""
        self._running &= self.seats != NOBODY
        games = np.flatnonzero(self._running)
        is_single = self.masks[games].sum(axis=1, dtype=np.int64) == 1
        forced = self._forced[games] & is_single
        self.is_forced[games] = forced
        left = games[~forced & (self.taken[games] == self._lengths[games])]
        self._running[left] = False
        self.seats[~self._running] = NOBODY
        games = np.flatnonzero(self._running)
        self.actions[games] = self.masks[games].argmax(axis=1)
        free = games[~self.is_forced[games]]
        recorded = self._recorded[self._begins[free] + self.taken[free]]
        clipped = np.clip(recorded, 0, N_ACTIONS - 1)
        chosen = self._frames[1][self.seats[free], clipped]
        wrong = (clipped != recorded) | (self.masks[free, chosen] == 0)
        if wrong.any():
            first = int(wrong.argmax())
            self._refuse(int(free[first]), int(recorded[first]))
        self.actions[free] = chosen
        return games

    def _refuse(self, game: int, action: int) -> None:
        to_absolute = self._frames[0][self.seats[game]]
        numbers = np.sort(to_absolute[np.flatnonzero(self.masks[game])])
        legal = ", ".join(NAMES[number] for number in numbers)
        name = NAMES[action] if 0 <= action < N_ACTIONS else f"action {action}"
        raise RecordError(
            f"{self.plays[game].where}: decision {self.taken[game]} is {name!r}, which is "
            f"illegal; legal are {legal}"
        )

    def _check_ends(self) -> None:
        """Compare every end with the recorded end."""
        for game, play in enumerate(self.plays):
            if self.taken[game] < self._lengths[game]:
                left = int(self._lengths[game] - self.taken[game])
                raise RecordError(f"{play.where}: the game is over, but {left} decisions are left")
            scores = tuple(self.states["score"][game, : play.header.options.players].tolist())
            if scores != play.scores:
                self._fail(play, f"with points {scores}", play.scores)
            end: Any = END_BY_STATUS.get(int(self.states["status"][game]), "stopped")
            if play.end not in END_BY_STATUS.values():
                continue
            if play.end != end:
                self._fail(play, f"as {end!r}", repr(play.end))
            teams, winner = int(self.states["teams"][game]), int(self.states["winner"][game])
            seats = range(play.header.options.players)
            winners = [seat for seat in seats if seat % teams == winner]
            if winners != list(play.winners):
                self._fail(play, f"with winners {winners}", list(play.winners))

    def _fail(self, play: RecordedGame, actual: str, recorded: Any) -> None:
        raise RecordError(f"{play.where}: the game ends {actual}; recorded are {recorded}")

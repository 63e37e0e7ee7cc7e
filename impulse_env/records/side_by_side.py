"""Recorded games played again side by side, many decisions in one compiled call."""

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
    """Return the games as they begin, undealt where they begin with a seed, dtype `STATE`."""
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
    """Plays recorded games again; G games.

    Iterating gives again and again the games that are at a decision, shape ``(k,)``; the arrays
    say how they stand. The decision is taken once the loop goes on. A game that was left runs no
    more, and whatever does not go, or does not end, as recorded raises `RecordError`.

    Attributes:
        plays: The games.
        states: How they stand, shape ``(G,)``, dtype `STATE`.
        seats: Who decides, shape ``(G,)``, int8.
        masks: Legal actions, shape ``(G, N_ACTIONS)``, int8, in the frame that was asked for.
        observations: What who decides sees, if that was asked for.
        actions: What was decided, shape ``(G,)``, int64, in that frame.
        taken: How many recorded decisions came before, shape ``(G,)``, int64.
        is_forced: Whether the engine made this choice, so that it is not recorded, shape ``(G,)``.
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
            plays: What was decided.
            states: As `beginnings` returns them; changed.
            forced: In which games choices with one legal answer are not recorded though the state
                asks for them, shape ``(G,)``.
            frames: Of actions and masks, see `step_games`; absolute if not given.
            observations: To be filled, see `step_games`; none are made if not given.
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
        """Fill in what is done next in each game that goes on; return which these are."""
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
        asked = games[~self.is_forced[games]]
        recorded = self._recorded[self._begins[asked] + self.taken[asked]]
        known = np.clip(recorded, 0, N_ACTIONS - 1)
        chosen = self._frames[1][self.seats[asked], known]
        wrong = (known != recorded) | (self.masks[asked, chosen] == 0)
        if wrong.any():
            first = int(wrong.argmax())
            self._refuse(int(asked[first]), int(recorded[first]))
        self.actions[asked] = chosen
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
        """Compare every end with the recorded one."""
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

    def _fail(self, play: RecordedGame, found: str, recorded: Any) -> None:
        raise RecordError(f"{play.where}: the game ends {found}; recorded are {recorded}")

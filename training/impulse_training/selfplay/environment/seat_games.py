"""The games of `impulse train`: decisions of every seat of the policy, in large batches.

An environment with one learner per game must wait until every game reaches a decision of the
learner. It then asks the last opponents in small batches, where a network takes forty times as long
per game. This environment has more games than rows. In each step, the policy decides in as many
games as there are rows. Opponents decide in all others, each in one call. The policy learns from
all seats that the pool gives to the current policy.

So the same row of two steps belongs to different games, and a reward is known only when the same
seat decides again. `rollout` joins the decisions of a seat, from `SeatGames.steps`.
"""

from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.asking.ask import ask_in_batch
from impulse_agents.network.compiled import in_slices
from impulse_agents.rng import RngStreams
from impulse_env.arguments import checked_integer, checked_integers, checked_seed
from impulse_env.batch import NOBODY, GameBatch, step_some, take_games
from impulse_env.engine.constants import TRUNCATED
from impulse_env.engine.state import STATE
from impulse_env.environments.batched_opponents import choose_by_agent
from impulse_env.environments.rewards import REWARDS, score_margins, win_rewards
from impulse_env.errors import IllegalActionError
from impulse_env.information import redraw_all
from impulse_env.options import Options
from impulse_training.run.common_options import ConfigError
from impulse_training.run.machine.stopwatch import Stopwatch
from impulse_training.run.storage.result import ResumeError
from impulse_training.selfplay.environment.games import (
    CURRENT,
    GAMES_PER_ROW,
    Decisions,
    Ends,
    Finished,
    Step,
    report,
)
from impulse_training.selfplay.environment.opponent_pool import OpponentPool

NOTED: Final = 1 / 64
"""Share of the decisions whose positions are noted for played starts."""
GAMES_PER_THREAD: Final = 512
"""Minimum number of games per thread."""
_SAVED: Final = ("learner_seats", "_opponents", "_lengths", "_is_midway", "_asked_at")
"""Arrays with a row for each game, which a state stores without leading underscores."""


class SeatGames:
    """The policy's decisions in a larger number of games, see `TrainingGames`.

    Attributes:
        batch: The games.
        width: Decisions per step.
        learner_seats: The seat in each game whose results go to the opponent pool, resampled for
            every game, shape ``(games,)``.
    """

    has_points: ClassVar = True

    def __init__(
        self,
        options: Options,
        num_envs: int,
        opponent_pool: OpponentPool,
        reward: str = "win",
        seed: int = 0,
        threads: int = 1,
        alike_fraction: float = 0.0,
        played_starts: float = 0.0,
    ) -> None:
        """Deal the games and play them until there are enough decisions.

        In a share `alike_fraction` of the games, all opponents are the same agent, and all allies
        are the current policy. A share `played_starts` of the new games begins in the middle of a
        recent game; their results do not count for the opponents, nor are they described.
        """
        checked_integer("num_envs", num_envs, 1)
        if reward not in REWARDS:
            raise ConfigError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
        self.options, self.width, self.opponent_pool = options, num_envs, opponent_pool
        self.reward, self._threads = reward, threads
        self._alike_fraction, self._played_starts = alike_fraction, played_starts
        self.steps: list[Step] = []
        self.watch = Stopwatch(torch.device("cpu"))
        games = GAMES_PER_ROW * num_envs
        self._rng = np.random.default_rng(checked_seed(seed))
        self._streams = RngStreams.from_generator(self._rng, games)  # of each game's opponents
        self.learner_seats = np.zeros(games, np.int64)
        self._opponents = np.zeros((games, options.players), np.int64)  # index into the pool
        self._lengths = np.zeros(games, np.int64)
        self._is_midway = np.zeros(games, np.bool_)
        self._played = np.zeros(0, STATE)  # positions of recent games
        self._asked_at = np.zeros(games, np.int64)
        self._now = 1
        self.batch = GameBatch(options, self._rng.integers(2**63, size=games))
        self._draw_seats(np.arange(games))
        self._ask_until_ready()

    # --- State -----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the complete state of the games, without the opponent pool."""
        batch = self.batch
        return {
            "rng": self._rng.bit_generator.state,
            "streams": self._streams.states.copy(),
            "states": batch.states.view(np.uint8).copy(),
            "played": self._played.view(np.uint8).copy(),
            "seen": (batch.seats.copy(), batch.masks.copy(), batch.observations.copy()),
            **{name.lstrip("_"): getattr(self, name).copy() for name in _SAVED},
            "now": self._now,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict` of games with equal options."""
        batch = self.batch
        if len(state["states"]) != batch.states.nbytes:
            raise ResumeError(
                f"the saved games have {len(state['states'])} bytes, not {batch.states.nbytes}: "
                "their number or their format differs"
            )
        self._rng.bit_generator.state = state["rng"]
        self._streams.states[:] = state["streams"]
        batch.states[:] = np.ascontiguousarray(state["states"]).view(STATE)
        self._played = np.ascontiguousarray(state["played"]).view(STATE)
        for mine, theirs in zip(
            (batch.seats, batch.masks, batch.observations), state["seen"], strict=True
        ):
            mine[:] = theirs
        for name in _SAVED:
            getattr(self, name)[:] = state[name.lstrip("_")]
        self._now = state["now"]
        self._choose_rows(self._ready())
        self.steps.clear()

    # --- Playing ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a rollout: clear `steps`."""
        self.steps.clear()

    def end(self) -> list[dict[str, Any]]:
        """End a rollout; `step` has described all games that ended."""
        return []

    def observations(self) -> NDArray[np.uint8]:
        """Return the observations of the decisions, see `Games`."""
        return self.batch.observations[self._rows]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of the decisions, see `Games`."""
        return self.batch.masks[self._rows].astype(bool)

    def hands(self) -> NDArray[np.int8]:
        """Return the hands of all seats in the decisions' games, see `Games`."""
        hands: NDArray[np.int8] = self.batch.states["hand"][self._rows]
        return hands

    def step(self, actions: NDArray[np.integer[Any]]) -> list[dict[str, Any]]:
        """Play the policy's actions, then the opponents' until there are enough decisions.

        Args:
            actions: Legal actions of the decisions, shape ``(width,)``.

        Returns:
            A description of every game that ended, see `report`, with its ``points`` by source.

        Raises:
            IllegalActionError: An action is illegal, or `actions` does not hold one integer per
                decision.
            AgentError: An opponent fails, or does not support these games.
        """
        numbers = checked_integers("actions", actions, (self.width,), IllegalActionError)
        decided, rows = self.decisions, self._rows
        self._lengths[rows[self.batch.seats[rows] == self.learner_seats[rows]]] += 1
        self._note_positions(rows)
        self._step(rows, numbers)
        self._asked_at[rows] = self._now
        self._now += 1
        ends, episodes = self._ask_until_ready()
        self.steps.append(Step(decided, ends))
        return episodes

    def _step(self, games: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Take one action in each of these games."""

        def step(part: slice) -> None:
            step_some(self.batch, games[part], actions[part])

        in_slices(step, len(games), self._threads, GAMES_PER_THREAD)

    def _ask_until_ready(self) -> tuple[list[Ends], list[dict[str, Any]]]:
        """Let the opponents decide once, and again while the policy has too few decisions.

        Returns:
            The policy's seats in games that ended, and a description of each game.
        """
        ends: list[Ends] = []
        episodes: list[dict[str, Any]] = []
        has_asked = False
        while True:
            over = np.flatnonzero(self.batch.seats == NOBODY)
            if len(over):
                ends.append(self._ends(over))
                won = self._paid(over, self.learner_seats[over])
                episodes += self._episodes(over, won)
                self._restart(over)
                self._asked_at[over] = self._now
                continue
            is_ready = self._ready()
            if has_asked and np.count_nonzero(is_ready) >= self.width:
                break
            has_asked = True
            waiting = np.flatnonzero(~is_ready)
            if len(waiting):
                self._ask_opponents(waiting)
        self._choose_rows(is_ready)
        return ends, episodes

    def _ask_opponents(self, games: NDArray[np.intp]) -> None:
        """Ask each opponent for all its decisions in one call, and step these games."""

        def choose(opponent: int, games: NDArray[np.intp]) -> NDArray[np.int64]:
            agent = self.opponent_pool.agents[opponent]
            return ask_in_batch(agent, self.batch, games, self._streams, games, self._threads)

        with self.watch.timed("opponents"):
            opponents = self._opponents[games, self.batch.seats[games]]
            actions = choose_by_agent(games, opponents, choose)
        self._step(games, actions)

    # --- Decisions -------------------------------------------------------------------------------

    def _is_policys(self) -> NDArray[np.bool_]:
        """Return whether the policy plays each seat, shape ``(games, players)``."""
        is_learners = np.arange(self.options.players) == self.learner_seats[:, None]
        return is_learners | (self._opponents == CURRENT)

    def _ready(self) -> NDArray[np.bool_]:
        """Return whether the policy decides in each running game, shape ``(games,)``."""
        return self._is_policys()[np.arange(len(self._lengths)), self.batch.seats]

    def _choose_rows(self, is_ready: NDArray[np.bool_]) -> None:
        """Choose the games that have waited longest, in ascending order, for the next decisions."""
        ready = np.flatnonzero(is_ready)
        first = np.argsort(self._asked_at[ready], kind="stable")[: self.width]
        self._rows = rows = np.sort(ready[first])
        seats = self.batch.seats[rows].astype(np.int64)
        self.decisions = Decisions(rows * self.options.players + seats, self._paid(rows, seats))

    def _paid(self, games: NDArray[np.intp], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the return of a seat of each game since its start, with 0 points."""
        states = take_games(self.batch.states, games)
        paid = win_rewards(states, seats)
        if self.reward == "score":
            paid += score_margins(states, seats)
        return paid

    # --- Ends ------------------------------------------------------------------------------------

    def _ends(self, over: NDArray[np.intp]) -> Ends:
        """Return the ends of finished games for the policy's seats."""
        rows, seats = np.nonzero(self._is_policys()[over])
        games = over[rows]
        return Ends(
            games * self.options.players + seats,
            self._paid(games, seats),
            self.batch.states["status"][games] == TRUNCATED,
        )

    def _episodes(
        self, ended: NDArray[np.intp], returns: NDArray[np.floating[Any]]
    ) -> list[dict[str, Any]]:
        """Report finished games to the pool, and describe each; leave out those begun midway.

        Args:
            ended: The games, shape ``(k,)``.
            returns: The learner's return in each, shape ``(k,)``.
        """
        is_whole = ~self._is_midway[ended]
        ended, returns = ended[is_whole], returns[is_whole]
        states, learners = self.batch.states[ended], self.learner_seats[ended]
        finished = Finished(
            states["status"],
            states["winner"],
            states["turn"],
            learners,
            self._opponents[ended],
            self._lengths[ended],
            returns,
        )
        described = report(finished, self._sides(ended), self.opponent_pool)
        points = states["points"][np.arange(len(ended)), learners].tolist()
        return [one | {"points": p} for one, p in zip(described, points, strict=True)]

    def _sides(self, games: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the side of each seat in some games, shape ``(len(games), players)``."""
        seats = np.arange(self.options.players)
        return np.tile(seats % self.options.team_count, (len(games), 1))

    # --- New games -------------------------------------------------------------------------------

    def _restart(self, games: NDArray[np.intp]) -> None:
        """Replace games by new ones with new seats, some of them in the middle of a recent game."""
        self.batch.restart(games, self._rng.integers(2**63, size=len(games)))
        self._draw_seats(games)
        self._is_midway[games] = False
        if self._played_starts and len(self._played):
            chosen = games[self._rng.random(len(games)) < self._played_starts]
            states = self._rng.choice(self._played, len(chosen))
            redraw_all(states, self._rng.integers(1, 2**63, size=len(chosen), dtype=np.uint64))
            self.batch.replace(chosen, states)
            self._is_midway[chosen] = True

    def _note_positions(self, rows: NDArray[np.intp]) -> None:
        """Note the positions of some running games, where later games may begin."""
        if self._played_starts:
            states = take_games(self.batch.states, rows[self._rng.random(len(rows)) < NOTED])
            self._played = np.concatenate([self._played, states])[-len(self.batch.states) :]

    def _draw_seats(self, games: NDArray[np.intp]) -> None:
        """Sample the learner's seat and the opponents of new games."""
        self.learner_seats[games] = self._rng.integers(self.options.players, size=len(games))
        self._opponents[games] = self._drawn_opponents(self.learner_seats[games])
        self._lengths[games] = 0

    def _drawn_opponents(self, learner_seats: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return sampled indices into the pool for each seat, shape ``(games, players)``."""
        players = self.options.players
        drawn = self.opponent_pool.draw((len(learner_seats), players), self._rng)
        if self._alike_fraction:
            is_alike = self._rng.random(len(learner_seats)) < self._alike_fraction
            sides = self.options.team_count
            is_ally = np.arange(players) % sides == learner_seats[:, None] % sides
            alike = np.where(is_ally, CURRENT, drawn[:, :1])
            drawn[is_alike] = alike[is_alike]
        return drawn

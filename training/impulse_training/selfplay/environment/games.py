"""Base of environments: simultaneous games of a learner against a pool of opponents."""

from time import perf_counter
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.ask import ask_in_batch
from impulse_agents.network.compiled import in_slices
from impulse_agents.rng import RngStreams
from impulse_env.arguments import checked_integer, checked_seed
from impulse_env.batch import GameBatch, step_some, take_games, turns_played
from impulse_env.engine.constants import NO_SEAT, TRUNCATED
from impulse_env.engine.state import STATE
from impulse_env.environments.batched_opponents import choose_by_agent
from impulse_env.environments.rewards import REWARDS
from impulse_env.information import redraw_all
from impulse_env.options import Options
from impulse_training.run.common_options import ConfigError
from impulse_training.run.storage.result import ResumeError
from impulse_training.selfplay.environment.opponent_pool import OpponentPool

CURRENT: Final = 0
"""Index of the current policy in an opponent pool."""
NOTED: Final = 1 / 64
"""Share of the decisions whose positions are noted for played starts."""
GAMES_PER_THREAD: Final = 512
"""Minimum number of games per thread."""


class SelfPlayGames:
    """Base of environments with the learner on one seat and a pool on the others.

    Attributes:
        batch: The games.
        width: Decisions per step.
        opponent_pool: The opponents; the pool receives the results of the games.
        learner_seats: The learner's seat in each game, resampled for every episode, shape
            ``(games,)``.
        seconds: Time in `step` so far: in total, and for the opponents' choices, shape ``(2,)``.
    """

    has_points: ClassVar = True
    """Whether the descriptions of games tell the sources of points."""
    saved_arrays: ClassVar[tuple[str, ...]] = (
        *("learner_seats", "_opponents", "_lengths", "_is_midway"),
    )
    """Arrays with a row for each game, which a state stores without leading underscores."""

    def __init__(
        self,
        options: Options,
        games: int,
        num_envs: int,
        opponent_pool: OpponentPool,
        reward: str,
        seed: int,
        threads: int = 1,
        alike_fraction: float = 0.0,
        played_starts: float = 0.0,
    ) -> None:
        """Deal the games and play them to the learner's first decisions.

        In a share `alike_fraction` of the games, all opponents are the same agent, and all allies
        are the current policy. A share `played_starts` of the new games begins in the middle of a
        recent game; their results do not count for the opponents, nor are they described.
        """
        checked_integer("games", games, 1)
        checked_integer("num_envs", num_envs, 1)
        if reward not in REWARDS:
            raise ConfigError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
        self.batch: GameBatch
        self.options = options
        self.width = num_envs
        self.opponent_pool = opponent_pool
        self.seconds = np.zeros(2)
        self.reward = reward
        self._alike_fraction, self._played_starts = alike_fraction, played_starts
        self._games = games
        self._threads = threads
        self._deal(seed)

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
            **{name.lstrip("_"): getattr(self, name).copy() for name in self.saved_arrays},
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict` of an environment with equal options and number of games."""
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
        for name in self.saved_arrays:
            getattr(self, name)[:] = state[name.lstrip("_")]

    # --- Games -----------------------------------------------------------------------------------

    def _deal(self, seed: int) -> None:
        self._rng = np.random.default_rng(checked_seed(seed))
        count, players = self._games, self.options.players
        self._streams = RngStreams.from_generator(self._rng, count)  # of each game's opponents
        self.learner_seats = np.zeros(count, np.int64)
        self._opponents = np.zeros((count, players), np.int64)  # index into the pool, by seat
        self._lengths = np.zeros(count, np.int64)
        self._is_midway = np.zeros(count, np.bool_)
        self._played = np.zeros(0, STATE)  # positions of recent games
        self.batch = GameBatch(self.options, self._rng.integers(2**63, size=count))

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
        players = self.options.players
        self.learner_seats[games] = self._rng.integers(players, size=len(games))
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

    def _sides(self, games: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the side of each seat in some games, shape ``(len(games), players)``.

        Seats of one side win together.
        """
        seats = np.arange(self.options.players)
        return np.tile(seats % self.options.team_count, (len(games), 1))

    def _ask_opponents(self, games: NDArray[np.intp]) -> None:
        """Ask each opponent for all its decisions in one call, and step these games."""
        batch = self.batch
        opponents = self._opponents[games, batch.seats[games]]
        began = perf_counter()
        actions = choose_by_agent(games, opponents, self._choose)
        self.seconds[1] += perf_counter() - began
        self._step(games, actions)

    def _choose(self, opponent: int, games: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return an opponent's actions in some games; each game has its own generator.

        Raises:
            AgentError: The opponent fails, or does not support these games.
        """
        agent = self.opponent_pool.agents[opponent]
        return ask_in_batch(agent, self.batch, games, self._streams, games, self._threads)

    def _step(self, games: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Take one action in each of these games."""

        def step(part: slice) -> None:
            step_some(self.batch, games[part], actions[part])

        in_slices(step, len(games), self._threads, GAMES_PER_THREAD)

    # --- Ends ------------------------------------------------------------------------------------

    def _episodes(
        self, ended: NDArray[np.intp], returns: NDArray[np.floating[Any]]
    ) -> list[dict[str, Any]]:
        """Report finished games to the pool, and describe each, see `SeatGames.step`.

        Games that began midway are left out.

        Args:
            ended: The games, shape ``(k,)``.
            returns: The learner's return in each, shape ``(k,)``.
        """
        is_whole = ~self._is_midway[ended]
        ended, returns = ended[is_whole], returns[is_whole]
        states = self.batch.states[ended]
        learner_seats = self.learner_seats[ended]
        rows, sides = np.arange(len(ended)), self._sides(ended)
        own_side = sides[rows, learner_seats]
        winners = states["winner"]  # a team's number is also one of its seats
        has_won = (winners != NO_SEAT) & (sides[rows, winners] == own_side)
        # In turn order after the learner; -1 marks allies, which are not opponents.
        seats = (np.arange(1, self.options.players) + learner_seats[:, None]) % self.options.players
        others = np.take_along_axis(self._opponents[ended], seats, 1)
        is_truncated = states["status"] == TRUNCATED
        is_opponent = np.take_along_axis(sides, seats, 1) != own_side[:, None]
        against = np.where(is_opponent, others, -1)
        self.opponent_pool.record_results(against[~is_truncated], has_won[~is_truncated])
        points = states["points"][rows, learner_seats]
        rounds = -(-turns_played(states) // self.options.players)
        return [
            {
                "is_truncated": bool(is_truncated[row]),
                "has_won": bool(has_won[row]),
                "seat": int(learner_seats[row]),
                "opponents": tuple(self.opponent_pool.agents[i].name for i in others[row]),
                "return": float(returns[row]),
                "length": int(self._lengths[game]),
                "rounds": int(rounds[row]),
                "points": points[row].tolist(),
            }
            for row, game in enumerate(ended)
        ]

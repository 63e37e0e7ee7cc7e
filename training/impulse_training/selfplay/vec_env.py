"""Many games as one Stable-Baselines3 environment in which each has one learner.

The learner has one seat of each game, drawn anew for every episode; a pool of opponents plays all
others inside `step`. So a transition belongs to one seat: from one decision of the learner to its
next, with what it was paid in between.
"""

from time import perf_counter
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import GameBatch, step_some, turns_played
from impulse_env.engine.constants import TRUNCATED
from impulse_env.engine.state import STATE
from impulse_env.environments.rewards import REWARDS, score_margins, win_rewards
from impulse_env.environments.spaces import vector_space
from impulse_env.observation import observe_all
from impulse_env.options import Options
from impulse_training.rollout.runner import choose_by_agent
from impulse_training.run.config import ConfigError
from impulse_training.run.result import ResumeError
from impulse_training.selfplay.batched_vec_env import WholeVecEnv
from impulse_training.selfplay.opponent_pool import OpponentPool

_KEPT: Final = ("learner_seats", "_opponents", "_margins", "_returns", "_lengths")
"""Arrays of the environment with a row for each game; their names are kept without underscores."""


class SelfPlayVecEnv(WholeVecEnv):
    """N games side by side, each asking its learner's seat and nobody else.

    An episode ends with its game. If the learner is eliminated the others play on within one step:
    an ally may still win, and the game be truncated. The info of an episode's end holds
    ``TimeLimit.truncated``, ``terminal_observation`` (of the learner's seat), ``episode`` (``r``,
    ``l``, ``t``, as from `VecMonitor`; ``rounds``, the last one included; ``points`` by source),
    ``is_success``, ``seat`` and ``opponents``, the names of the others in turn order after it.

    Attributes:
        batch: The games; every one of them is at a decision of its learner.
        opponent_pool: The opponents; it is told how the games end.
        learner_seats: The learner's seat in each game, shape ``(num_envs,)``.
        seconds: Time spent in `step` so far: in all, and waiting for the opponents' choices.
    """

    def __init__(
        self,
        options: Options,
        games: int,
        opponent_pool: OpponentPool,
        reward: str = "win",
        seed: int = 0,
    ) -> None:
        """Deal the games and play them to the learners' first decisions."""
        if reward not in REWARDS:
            raise ConfigError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
        self.options = options
        self.opponent_pool = opponent_pool
        self.seconds = np.zeros(2)
        self.reward = reward
        self._actions = np.zeros(games, np.int64)
        super().__init__(games, vector_space(options.players), spaces.Discrete(N_ACTIONS))
        self._deal(seed)

    # --- What Stable-Baselines3 calls ------------------------------------------------------------

    def reset(self) -> NDArray[np.uint8]:
        """Deal all games anew, from the seed given to `seed` if there was one."""
        given = self._seeds[0]
        self._deal(int(self._rng.integers(2**63)) if given is None else given)
        self._reset_seeds()
        return self.batch.observations.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the learners' actions for `step_wait`."""
        self._actions = np.ascontiguousarray(actions, np.int64)

    def step_wait(self) -> VecEnvStepReturn:
        """Play the learners' actions, then everybody else's until the learners decide again."""
        began = perf_counter()
        self.batch.step(self._actions)
        self._play_others(np.arange(self.num_envs))
        self._lengths += 1
        rewards = self._rewards()
        dones = self.batch.seats < 0
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if len(ended):
            self._describe_ends(ended, infos)
            self._begin(ended)
        # The buffers are written again before the learner has stored them.
        observations = self.batch.observations.copy()
        self.seconds[0] += perf_counter() - began
        return observations, rewards, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learners' legal actions, shape ``(num_envs, N_ACTIONS)``."""
        return self.batch.masks.astype(bool)

    # --- Keeping ---------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return everything that decides how the games go on, but for the opponent pool."""
        batch = self.batch
        return {
            "rng": self._rng.bit_generator.state,
            "streams": self._streams.states.copy(),
            "states": batch.states.view(np.uint8).copy(),
            "seen": (batch.seats.copy(), batch.masks.copy(), batch.observations.copy()),
            **{name.lstrip("_"): getattr(self, name).copy() for name in _KEPT},
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a `state_dict` of an environment with the same options and as many games."""
        batch = self.batch
        if len(state["states"]) != batch.states.nbytes:
            raise ResumeError("what was kept holds another number of games, or another game record")
        self._rng.bit_generator.state = state["rng"]
        self._streams.states[:] = state["streams"]
        batch.states[:] = np.ascontiguousarray(state["states"]).view(STATE)
        for mine, theirs in zip(
            (batch.seats, batch.masks, batch.observations), state["seen"], strict=True
        ):
            mine[:] = theirs
        for name in _KEPT:
            getattr(self, name)[:] = state[name.lstrip("_")]
        self._began[:] = perf_counter()

    # --- Games -----------------------------------------------------------------------------------

    def _deal(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._streams = RngStreams.from_generator(
            self._rng, self.num_envs
        )  # of each game's opponents
        count, players = self.num_envs, self.options.players
        self.learner_seats = np.zeros(count, np.int64)
        self._opponents = np.zeros((count, players), np.int64)  # index into the pool, by seat
        self._margins = np.zeros(count, np.float32)
        self._returns = np.zeros(count, np.float64)
        self._lengths = np.zeros(count, np.int64)
        self._began = np.full(count, perf_counter())
        self.batch = GameBatch(self.options, self._rng.integers(2**63, size=count))
        self._seat_everybody(np.arange(count))

    def _begin(self, games: NDArray[np.int64]) -> None:
        """Replace those games by new ones, at the learners' first decisions."""
        self.batch.restart(games, self._rng.integers(2**63, size=len(games)))
        self._seat_everybody(games)

    def _seat_everybody(self, games: NDArray[np.int64]) -> None:
        """Draw the seats of fresh games and play to the learners' first decisions."""
        players = self.options.players
        self.learner_seats[games] = self._rng.integers(players, size=len(games))
        self._opponents[games] = self.opponent_pool.draw((len(games), players), self._rng)
        self._play_others(games)
        self._margins[games] = score_margins(self.batch.states, self.learner_seats)[games]
        self._returns[games] = 0
        self._lengths[games] = 0
        self._began[games] = perf_counter()
        over_unasked = games[self.batch.seats[games] < 0]
        if len(over_unasked):  # no transition: nothing to learn from
            self._begin(over_unasked)

    def _play_others(self, games: NDArray[np.int64]) -> None:
        """Play these games on until each is at a decision of its learner, or ended.

        The games where somebody else must decide are stepped together, in one call for each
        opponent; there are fewer of them every time.
        """
        batch = self.batch
        while True:
            seats = batch.seats[games]
            games = games[(seats >= 0) & (seats != self.learner_seats[games])]
            if len(games) == 0:
                return
            opponents = self._opponents[games, batch.seats[games]]
            began = perf_counter()
            actions = choose_by_agent(games, opponents, self._choose)
            self.seconds[1] += perf_counter() - began
            step_some(batch, games, actions)

    def _choose(self, opponent: int, games: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return what an opponent chooses in some games, each with a generator of its own."""
        return self.opponent_pool.agents[opponent].act_in_batch(
            self.batch, games, self._streams, games
        )

    # --- Rewards and ends ------------------------------------------------------------------------

    def _rewards(self) -> NDArray[np.float32]:
        """Return what each learner earned since its last decision."""
        states = self.batch.states
        rewards = win_rewards(states, self.learner_seats)
        if self.reward == "score":
            margins = score_margins(states, self.learner_seats)
            rewards += margins - self._margins
            self._margins = margins
        self._returns += rewards
        return rewards

    def _describe_ends(self, ended: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        """Fill the infos of the games that have ended."""
        states = self.batch.states[ended]
        learner_seats = self.learner_seats[ended]
        seen = observe_all(states, learner_seats)
        sides = self.options.team_count
        has_won = states["winner"] == learner_seats % sides
        # In turn order after the learner; allies are no opponents.
        seats = (np.arange(1, self.options.players) + learner_seats[:, None]) % self.options.players
        others = np.take_along_axis(self._opponents[ended], seats, 1)
        is_over = states["status"] != TRUNCATED
        against = np.where(seats % sides != learner_seats[:, None] % sides, others, -1)
        self.opponent_pool.record_results(against[is_over], has_won[is_over])
        points = states["points"][np.arange(len(ended)), learner_seats]
        rounds = -(-turns_played(states) // self.options.players)
        now = perf_counter()
        for row, game in enumerate(ended):
            infos[game].update(
                {
                    "terminal_observation": seen[row],
                    "TimeLimit.truncated": bool(states["status"][row] == TRUNCATED),
                    "episode": {
                        "r": float(self._returns[game]),
                        "l": int(self._lengths[game]),
                        "t": now - float(self._began[game]),
                        "rounds": int(rounds[row]),
                        "points": points[row].tolist(),
                    },
                    "is_success": bool(has_won[row]),
                    "seat": int(learner_seats[row]),
                    "opponents": tuple(self.opponent_pool.agents[i].name for i in others[row]),
                }
            )

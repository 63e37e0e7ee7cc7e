"""Many games as one Stable-Baselines3 environment in which each has one learner.

The learner has one seat of each game, drawn anew for every episode; a pool of opponents plays all
others inside `step`. So a transition belongs to one seat: from one decision of the learner to its
next, with what it was paid in between. `MaskablePPO` of sb3-contrib learns from it. Algorithms that
know no masks cannot: an illegal action is an error. `impulse train` learns from `seat_vec_env`,
which is quicker.
"""

from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from impulse_env.environments.batched_opponents import is_waiting
from impulse_env.environments.rewards import score_margins, win_rewards
from impulse_env.observation import observe_all
from impulse_env.options import Options
from impulse_training.selfplay.games import SelfPlayGames
from impulse_training.selfplay.opponent_pool import OpponentPool


class SelfPlayVecEnv(SelfPlayGames):
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

    kept: ClassVar[tuple[str, ...]] = (*SelfPlayGames.kept, "_margins", "_returns")

    def __init__(
        self,
        options: Options,
        games: int,
        opponent_pool: OpponentPool,
        reward: str = "win",
        seed: int = 0,
    ) -> None:
        """Deal the games and play them to the learners' first decisions."""
        super().__init__(options, games, games, opponent_pool, reward, seed)

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
            seen = observe_all(self.batch.states[ended], self.learner_seats[ended])
            for row, info in enumerate(self._episodes(ended, self._returns[ended])):
                infos[ended[row]] = {"terminal_observation": seen[row], **info}
            self._begin(ended)
        observations = self._observations()
        self.seconds[0] += perf_counter() - began
        return observations, rewards, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learners' legal actions, shape ``(num_envs, N_ACTIONS)``."""
        return self.batch.masks.astype(bool)

    def _observations(self) -> NDArray[np.uint8]:
        # The buffers are written again before the learner has stored them.
        return self.batch.observations.copy()

    def _deal(self, seed: int) -> None:
        super()._deal(seed)
        self._margins = np.zeros(self.num_envs, np.float32)
        self._returns = np.zeros(self.num_envs, np.float64)
        games = np.arange(self.num_envs)
        self._draw_seats(games)
        self._play_to_first_decisions(games)

    def _begin(self, games: NDArray[np.intp]) -> None:
        """Replace those games by new ones, at the learners' first decisions."""
        self._restart(games)
        self._play_to_first_decisions(games)

    def _play_to_first_decisions(self, games: NDArray[np.intp]) -> None:
        self._play_others(games)
        self._margins[games] = score_margins(self.batch.states, self.learner_seats)[games]
        self._returns[games] = 0
        over_unasked = games[self.batch.seats[games] < 0]
        if len(over_unasked):  # no transition: nothing to learn from
            self._begin(over_unasked)

    def _play_others(self, games: NDArray[np.intp]) -> None:
        """Play these games on until each is at a decision of its learner, or ended.

        The games where somebody else must decide are stepped together, in one call for each
        opponent; there are fewer of them every time.
        """
        batch = self.batch
        while True:
            games = games[is_waiting(batch.seats[games], self.learner_seats[games])]
            if len(games) == 0:
                return
            self._ask_opponents(games)

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

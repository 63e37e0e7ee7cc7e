"""The game as a Gymnasium environment: one player learns, the others are played inside `step`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS, checked_action, is_legal
from impulse_env.arguments import checked_seed
from impulse_env.batch import random_actions
from impulse_env.engine.constants import Seat
from impulse_env.environments.aec import KEYWORDS, RENDER_MODES, RawEnv
from impulse_env.environments.checks import checked_choice, warn_of_illegal
from impulse_env.environments.opponents import (
    GameOpponent,
    Opponent,
    checked_answer,
    checked_opponents,
    name_of,
    random_opponent,
    randomness_of,
)
from impulse_env.environments.spaces import ActionSpace, vector_space
from impulse_env.errors import IllegalActionError
from impulse_env.frame import to_own
from impulse_env.game import Game
from impulse_env.options import check_keywords


class ImpulseEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """Impulse for one agent.

    The observation is only the vector; `action_masks` returns the mask, under the name that
    sb3-contrib uses. A transition goes from one decision of the own seat to the next, and its
    reward is the sum of the seat's rewards in between. After the elimination of the own player,
    `step` plays the game to its end: a teammate may still win it, or it may be truncated.

    Attributes:
        seat: The own seat in this episode.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium reads it from the class
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        players: int = 2,
        *,
        opponents: str
        | Opponent
        | GameOpponent
        | Sequence[str | Opponent | GameOpponent] = "random",
        seat: int | None = None,
        illegal: str = "terminate",
        render_mode: str | None = None,
        **arguments: Any,
    ) -> None:
        """Check the options; `reset` deals.

        Args:
            players: Number of players, 2 to 6.
            opponents: The agents on the other seats: the name of an agent, an `Opponent`, or one of
                these for each other seat, clockwise from the own seat. Names are "random",
                "greedy", "policy:2p", "ismcts:100" or "my_agent.py:Best", for example; see
                `impulse_agents.make`.
            seat: The own seat; None: drawn for every episode.
            illegal: "terminate": an illegal action ends the episode with reward -1, so that
                agents without masks can learn and `check_env` can try any action. "raise":
                `IllegalActionError`, and nothing changes.
            render_mode: None, "ansi", "rgb_array" or "human", as in `RawEnv`.
            **arguments: reward and render_seat as in `RawEnv`, and the options of the game, see
                `Options`.

        Raises:
            OptionError: An option has a value that is not allowed.
            ImpulseError: A name is unknown, or its agent cannot be made.
        """
        check_keywords(arguments, ("opponents", "seat", *KEYWORDS))
        self._env = RawEnv(players, illegal=illegal, render_mode=render_mode, **arguments)
        players = self._env.options.players
        self._fixed_seat = checked_choice("seat", seat, (None, *range(players)))
        self._opponents = checked_opponents(opponents, players - 1)
        self.observation_space = vector_space(players)
        self.action_space = ActionSpace()
        self.render_mode = render_mode
        self.seat: Seat = self._fixed_seat or 0
        self._mask = np.zeros(N_ACTIONS, np.int8)
        self._is_over = True
        self._randomness = np.zeros(1, np.uint64)  # generator state of random opponents

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Deal a new game and play it to the own seat's first decision; `options` are ignored.

        Raises:
            ArgumentError: The seed is not an integer of 0 or more.
        """
        super().reset(seed=checked_seed(seed))
        self._env.reset(seed=int(self.np_random.integers(1 << 63)))
        seats = self._env.options.players
        random_seat = int(self.np_random.integers(seats))
        self.seat = random_seat if self._fixed_seat is None else self._fixed_seat
        self._randomness = randomness_of([self.np_random])
        return self._next()[0], self._info()

    def step(
        self, action: int | np.integer[Any]
    ) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Take the decision, and let the others play until the own seat decides again.

        With ``illegal="terminate"`` an integer that is not a legal action ends the episode, and
        `gymnasium.logger` warns about the first one.

        Raises:
            IllegalActionError: The action is not an integer, or not legal with
                ``illegal="raise"``; nothing was changed. Or the action of an opponent is not legal.
            gymnasium.error.ResetNeeded: The episode is over.
        """
        if self._is_over:
            raise gymnasium.error.ResetNeeded(
                "the episode is over or has not begun: call reset() first"
            )
        number = checked_action(action)
        if is_legal(self._mask, number) or self._env.illegal == "raise":
            self._env.step(number)
        else:
            warn_of_illegal()
            self._env._lose()
        vector, terminated, truncated = self._next()
        reward = float(self._env._cumulative_rewards[self._agent])
        return vector, reward, terminated, truncated, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """Return 1 for every legal action, shape ``(N_ACTIONS,)``; all 0 if the episode is over."""
        return self._mask.copy()

    def render(self) -> Any:
        """Return the drawing of `render_mode`, see `RawEnv.render`."""
        return self._env.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._env.close()

    @property
    def game(self) -> Game:
        """A copy of the running game with all hidden information: for people, not for agents."""
        return self._env.game

    @property
    def end(self) -> str:
        """The end of the episode, as in `RawEnv`; "" before."""
        return self._env.end

    def save_record(self, path: str | Path) -> None:
        """Write the episode as a record, see `RawEnv.save_record`; the own seat is "learner"."""
        names = [name_of(opponent) for opponent in self._opponents]
        names.insert(0, "learner")
        seats = range(len(names))
        self._env.save_record(path, [names[(seat - self.seat) % len(names)] for seat in seats])

    # --- Inside ----------------------------------------------------------------------------

    @property
    def _agent(self) -> str:
        return self._env.possible_agents[self.seat]

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self._mask, "seat": np.int8(self.seat)}
        info |= self._env.infos[self._agent]
        return {name: value.copy() for name, value in info.items()}

    def _next(self) -> tuple[NDArray[np.uint8], bool, bool]:
        """Play the others; return the own seat's observation, termination and truncation."""
        env, agent = self._env, self._agent
        self._is_over = True  # if an opponent fails, only `reset` can continue
        terminated, truncated = env.terminations, env.truncations
        while env.agent_selection != agent and not (terminated[agent] or truncated[agent]):
            self._play(env.agent_selection)
        observed = env.observe(agent)
        self._mask = observed["action_mask"]
        # An illegal action sets both flags, as in PettingZoo, but the episode is not truncated.
        is_cut = truncated[agent] and not terminated[agent]
        self._is_over = terminated[agent] or truncated[agent]
        return observed["observation"], terminated[agent], is_cut

    def _play(self, agent: str) -> None:
        players = self._env.options.players
        seat = self._env.possible_agents.index(agent)
        opponent = self._opponents[(seat - self.seat) % players - 1]
        observed = self._env.observe(agent)
        mask = observed["action_mask"]
        if opponent is random_opponent:
            number = int(random_actions(mask[None], self._randomness)[0])
        elif isinstance(opponent, GameOpponent):
            # The opponent gets the view of its seat, never hidden information.
            answer = opponent.act_in_game(self._env.game.view(seat), self.np_random)
            number = to_own(checked_answer(answer, seat), players, seat)
        else:
            answer = opponent(observed["observation"], mask.copy(), self.np_random)
            number = checked_answer(answer, seat)
        if not mask[number]:
            raise IllegalActionError(f"opponent: {self._env.refusal(number)}")
        self._env.step(number)

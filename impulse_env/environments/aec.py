"""The game as a PettingZoo AEC environment: agents, spaces, masks, rewards, the end.

This module contains no rules of the game. Decisions, masks and observations come from
`batch.GameBatch`, which computes them in one compiled call. Actions and observations are in the own
frame of their agent.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Never, TypeAlias

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from impulse_env import drawing, observation
from impulse_env.actions import N_ACTIONS, NAMES, checked_action, with_name
from impulse_env.arguments import checked_integer
from impulse_env.batch import GameBatch
from impulse_env.drawing.pixels import Window, require_display
from impulse_env.engine.constants import TRUNCATED, State
from impulse_env.environments.checks import checked_choice
from impulse_env.environments.outcome_arrays import ENDS, no_outcomes, outcomes
from impulse_env.environments.rewards import REWARDS, outcome_rewards
from impulse_env.environments.spaces import ActionSpace, vector_space
from impulse_env.environments.turns import Turns
from impulse_env.errors import IllegalActionError
from impulse_env.frame import absolute_frame
from impulse_env.game import Game
from impulse_env.information import EVERYTHING, as_seen
from impulse_env.options import OPTION_NAMES, Options, check_keywords
from impulse_env.records.record import Header, SeatedAgent, record_of
from impulse_env.text import color
from impulse_env.text.board import draw_text
from impulse_env.text.describe import prompt_of

Observation: TypeAlias = dict[str, NDArray[Any]]
"""``observation``: uint8, shape ``(observation.size(players),)``; ``action_mask``: int8, shape
``(N_ACTIONS,)``."""

ILLEGAL: Final = ("raise", "terminate")
RENDER_MODES: Final = ("human", "ansi", "rgb_array")
ILLEGAL_REWARD: Final = -1.0
"""The reward of an illegal action with ``illegal="terminate"``, as in PettingZoo's own games."""
KEYWORDS: Final = ("reward", "illegal", "render_mode", "render_seat", *OPTION_NAMES)
"""The keywords of `RawEnv`."""
_SET_BY_RESET: Final = frozenset(
    (
        "agents",
        "agent_selection",
        "rewards",
        "_cumulative_rewards",
        "terminations",
        "truncations",
        "infos",
        "num_agents",
        "game",
    )
)


class RawEnv(AECEnv):
    """Impulse as an AEC environment.

    One `step` is one decision. An agent may be selected several times in a row, and a battle or an
    empty deck may select another agent in mid-turn. PettingZoo's wrappers would take more time than
    the game, so this class makes their checks itself: the order of calls, and whether the action
    is legal.

    `copy.deepcopy` and pickling copy the running game, with the state of all random generators.

    Attributes:
        possible_agents: ``player_0`` and so on in turn order; the start player may be any of them.
        options: The options of the game.
        render_mode: None or one of `RENDER_MODES`.
        state_space: The space of `state`, which contains every hand.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo reads it from the class
        "name": "impulse_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        # Agents act one after another, in an order that the rules determine.
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 2,
        *,
        reward: str = "win",
        illegal: str = "raise",
        render_mode: str | None = None,
        render_seat: int | str | None = None,
        **options: Any,
    ) -> None:
        """Check the options; `reset` deals.

        Args:
            players: Number of players, 2 to 6.
            reward: "win" or "score". With "win", rewards come only at the end: +1 for each winner;
                the losers share the opposite; 0 if truncated. With "score", the same is paid, and
                in every step the change of the agent's points minus the mean change of its
                opponents' points, divided by the target score.
            illegal: The effect of an illegal action. "raise": `IllegalActionError`, and nothing
                changes. "terminate": the game ends, with `ILLEGAL_REWARD` for that agent and 0
                for the others.
            render_mode: None, "ansi" (text, in colours if the standard output is a terminal),
                "rgb_array" or "human" (a window that shows every step); the last two need the
                extra `render`.
            render_seat: The seat whose view is drawn; None: public information, "all": everything.
            **options: Options of the game, see `Options`: team_size, races, start_player,
                target_score, hand_limit, ships, max_turns, max_activations, auto_forced.

        Raises:
            OptionError: An option has a value that is not allowed.
            RenderError: This machine cannot open windows.
        """
        super().__init__()
        check_keywords(options, KEYWORDS)
        self.options = Options(players=players, **options)
        players = self.options.players
        self.reward = checked_choice("reward", reward, REWARDS)
        self.illegal = checked_choice("illegal", illegal, ILLEGAL)
        self.render_mode = checked_choice("render_mode", render_mode, (None, *RENDER_MODES))
        seats = (None, EVERYTHING, *range(players))
        self.render_seat = checked_choice("render_seat", render_seat, seats)
        # "rgb_array" needs an extra. Code that makes environments may name this mode and never
        # render, so the error comes from `render`.
        if render_mode == "human":
            require_display()
        self._window: Window | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_spaces = {agent: ActionSpace() for agent in self.possible_agents}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": vector_space(players),
                    "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        rows = np.tile(vector_space(players).high, (players, 1))
        self.state_space = spaces.Box(np.zeros_like(rows), rows, dtype=np.uint8)
        self._seeds = np.random.default_rng()
        self._batch: GameBatch | None = None
        self._decider: str | None = None
        self._has_stepped = False
        self._is_shown = False

    def __getattr__(self, name: str) -> Never:
        """Raise the error of a missing attribute; those that `reset` sets get their own message."""
        if name in _SET_BY_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # --- Spaces ----------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return that agent's observation space, always the same object."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """Return that agent's action space, always the same object."""
        return self._action_spaces[agent]

    # --- Playing ---------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: 0 or more: the game that `Game(seed=seed)` deals; later calls without a seed deal
                games that follow from it. None, without an earlier seed: a random game.
            options: Ignored; options belong to the constructor.

        Raises:
            ArgumentError: The seed is not an integer of 0 or more.
        """
        if seed is None:
            seed = int(self._seeds.integers(1 << 63))
        else:
            seed = checked_integer("seed", seed, 0)
            self._seeds = np.random.default_rng(seed)
        self._bind(GameBatch(self.options, [seed]))
        self._seed = seed
        self._taken: list[int] = []
        agents = self.possible_agents
        self.agents = list(agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._set_outcome(no_outcomes(1, len(agents)))
        self._skip_agent_selection = None
        self._scores = self._points()
        self._has_rewards = False
        self._decider = agents[self._seats.item()]
        self.agent_selection = self._decider
        self._has_moved()

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Take the decision of `agent_selection`; a dead agent must pass None.

        With ``illegal="terminate"`` an integer that is not a legal action ends the game and logs
        the warning of PettingZoo's own wrapper.

        Raises:
            IllegalActionError: The action is not an integer, or not legal with
                ``illegal="raise"``; nothing was changed.
        """
        if self._batch is None:
            EnvLogger.error_step_before_reset()
        agent = self.agent_selection
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        self._has_stepped = True
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = checked_action(action)
        if not 0 <= number < N_ACTIONS or not self._mask[number]:
            self._refuse(number)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._has_rewards:
            self._clear_rewards()
            self._has_rewards = False
        self._advance(number)
        if self.reward == "score":
            self._reward_points()
        seat = self._seats.item()
        if seat >= 0:
            self._decider = self.agent_selection = self.possible_agents[seat]
        else:
            self._end()
        if self._has_rewards:
            self._accumulate_rewards()
        self._has_moved()

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return the agent's observation, reward since its last step, both ends, and its info."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """Return copies of an agent's observation and mask; the mask is all 0 if it cannot act."""
        if agent == self._decider:
            return {"observation": self._vector.copy(), "action_mask": self._mask.copy()}
        if self._batch is None:
            EnvLogger.error_observe_before_reset()
        return {
            "observation": observation.observe(self._state, self._seat_of[agent]),
            "action_mask": np.zeros(N_ACTIONS, np.int8),
        }

    def state(self) -> NDArray[np.uint8]:
        """Return the observations of all agents, one per row: for critics, not for policies.

        They contain every hand, so a policy that reads them plays a different game. They do not
        contain what no seat sees: the order of the deck and the face-down cards of the map.

        Returns:
            Shape ``(players, observation.size(players))``, uint8, in the order of
            `possible_agents`; row ``i`` is ``observe(possible_agents[i])["observation"]``.
        """
        if self._batch is None:
            EnvLogger.error_state_before_reset()
        return np.stack([observation.observe(self._state, seat) for seat in self._seat_of.values()])

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Yield `agent_selection` until no agent is left; the loop must call `step` each time."""
        if self._batch is None:
            EnvLogger.error_agent_iter_before_reset()
        return Turns(self, max_iter)

    def refusal(self, action: int) -> str:
        """Return the error message for an illegal action of the agent to act."""
        agent = self.agent_selection
        to_map = absolute_frame(self.options.players)[self._seat_of[agent]]

        def named(number: int) -> str:
            own, there = NAMES[number], NAMES[to_map[number]]
            return own if own == there else f"{own}, on the map {there}"

        is_action = 0 <= action < N_ACTIONS
        wrong = f"{action} ({named(action)})" if is_action else with_name(action)
        legal = "; ".join(
            f"{number} ({named(int(number))})" for number in np.flatnonzero(self._mask)
        )
        return (
            f"illegal action {wrong} of {agent} in turn {int(self._state['turn'])}, "
            f"who is asked: {prompt_of(self._state)} Legal are {legal}. Cells, gates and seats of "
            "an action are in the agent's own frame."
        )

    @property
    def game(self) -> Game:
        """A copy of the running game with all hidden information: for people, not for agents."""
        if self._batch is None:
            raise AttributeError("game cannot be accessed before reset")
        return Game.from_state(self._state)

    @property
    def end(self) -> str:
        """The end of the game: "score", "elimination", "truncation" or "illegal"; "" before."""
        return ENDS[self._checked_outcome()["end"]]

    @property
    def winners(self) -> tuple[str, ...]:
        """The agents that won; empty before the end and after a truncation."""
        agents = zip(self.possible_agents, self._checked_outcome()["winners"], strict=True)
        return tuple(agent for agent, has_won in agents if has_won)

    @property
    def scores(self) -> dict[str, int]:
        """The current points of every agent."""
        self._checked_outcome()
        return dict(zip(self.possible_agents, self._points(), strict=True))

    def _checked_outcome(self) -> dict[str, Any]:
        if self._batch is None:
            raise AttributeError("how a game ended cannot be accessed before reset")
        return self._outcome

    def save_record(self, path: str | Path, agents: Sequence[str] | None = None) -> None:
        """Write the game since `reset` as a record with all hidden information, see `record.py`.

        Args:
            path: The file; an existing file is replaced.
            agents: The name of each seat's agent; `possible_agents` by default.

        Raises:
            ValueError: Not every seat has a name.
        """
        if self._batch is None:
            raise AttributeError("save_record cannot be called before reset")
        names = self.possible_agents if agents is None else agents
        header = Header(self.options, tuple(map(SeatedAgent, names)), seed=self._seed)
        record_of(header, self._taken, are_own=True).save(path)

    # --- Drawing ---------------------------------------------------------------------------

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the drawing of `render_mode`: text or a picture; "human" uses a window."""
        if self._batch is None:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            logger.warn("render() was called on an environment that has no render_mode")
            return None
        if self.render_mode == "rgb_array":
            return drawing.png(self._state, self.render_seat)
        if self.render_mode == "human":
            self._show()
            return None
        text = draw_text(as_seen(self._state, self.render_seat))
        return color.colored(text) if color.wants_color(sys.stdout) else text

    def _show(self) -> None:
        """Bring the window up to date."""
        if self._is_shown:
            return
        if self._window is None:
            self._window = Window("Impulse", self.metadata["render_fps"])
        by = self.render_seat
        self._window.show(drawing.svg(self._state, by), *drawing.size(self._state, by))
        self._is_shown = True

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # --- Copies ----------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Pickle only the arrays of the batch: views into them and tables are rebuilt.

        A copy opens a window of its own.
        """
        state = {name: value for name, value in self.__dict__.items() if name not in _OF_THE_BATCH}
        state["_window"] = None
        if self._batch is not None:
            state["arrays"] = {name: getattr(self._batch, name) for name in _ARRAYS}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = state.pop("arrays", None)
        self.__dict__.update(state)
        self._batch = None
        if arrays is not None:
            batch = GameBatch(self.options, [0])
            for name, array in arrays.items():
                getattr(batch, name)[:] = array
            self._bind(batch)

    # --- Inside ----------------------------------------------------------------------------

    def _bind(self, batch: GameBatch) -> None:
        self._batch = batch
        self._seats = batch.seats
        self._mask = batch.masks[0]
        self._vector = batch.observations[0]
        self._action = np.zeros(1, np.int64)

    @property
    def _state(self) -> State:
        assert self._batch is not None
        return self._batch.states[0]

    def _points(self) -> list[int]:
        return self._state["score"][: self.options.players].tolist()

    def _advance(self, number: int) -> None:
        assert self._batch is not None
        self._action[0] = number
        self._batch.step(self._action)
        self._taken.append(number)

    def _has_moved(self) -> None:
        self._has_stepped = True
        if self.render_mode == "human":
            self._is_shown = False
            self.render()

    def _refuse(self, action: int) -> None:
        if self.illegal == "raise":
            raise IllegalActionError(self.refusal(action))
        EnvLogger.warn_on_illegal_move()
        self._lose()

    def _lose(self) -> None:
        """End the game by an illegal action of the agent to act."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: ILLEGAL_REWARD}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._close(refused=True)

    def _reward_points(self) -> None:
        """Give each agent the change of its points minus the mean of its opponents'."""
        scores = self._points()
        if scores == self._scores:
            return
        gains = [after - before for after, before in zip(scores, self._scores, strict=True)]
        self._scores = scores
        teams = self.options.team_count
        total = sum(gains)
        opponents = len(gains) - len(gains) // teams
        for seat, agent in enumerate(self.agents):
            others = total - sum(gains[seat % teams :: teams])
            self.rewards[agent] = (gains[seat] - others / opponents) / self.options.target_score
        self._has_rewards = True

    def _end(self) -> None:
        """End the game for all agents, including eliminated ones."""
        assert self._batch is not None
        states = self._batch.states
        is_truncated = bool(states["status"][0] == TRUNCATED)
        paid = outcome_rewards(states, np.arange(len(self.agents))).tolist()
        for agent, reward in zip(self.agents, paid, strict=True):
            self.terminations[agent] = not is_truncated
            self.truncations[agent] = is_truncated
            self.rewards[agent] += reward
        self._has_rewards = True
        self._close(refused=False)

    def _close(self, *, refused: bool) -> None:
        """Put the outcome into every info; `refused`: an illegal action ended the game."""
        assert self._batch is not None
        self._set_outcome(outcomes(self._batch.states[0], refused=refused))
        self._decider = None
        self.agent_selection = self.agents[0]

    def _set_outcome(self, outcome: dict[str, NDArray[Any]]) -> None:
        """Give every agent its own info with the outcome of the game."""
        info = {name: values[0] for name, values in outcome.items()}
        self._outcome = info
        self.infos = {agent: dict(info) for agent in self.agents}


_ARRAYS: Final = ("states", "seats", "masks", "observations")
_OF_THE_BATCH: Final = frozenset(("_batch", "_seats", "_mask", "_vector", "_action"))

"""The games of `impulse train --games device`: they never leave the learner's device.

The rows are those of `SeatGames`: twice as many games as decisions of a step, and in each step the
policy decides in the games that have waited longest. Everything has constant shapes, so nothing in
a step waits for the host. Where too few games wait for the policy, rows belong to `NOBODY`.

Opponents are those that play on a device. A trained one decides in a constant number of games at
once, half as many again as its share. They are those of its games in which the policy was asked
longest ago, so no game waits for ever.
"""

from math import ceil
from typing import Any, ClassVar, Final

import numpy as np
import torch
from torch import Tensor

from impulse_agents.base import Agent, AgentError
from impulse_agents.gpu import gpu_agent
from impulse_agents.network.agent import PolicyAgent
from impulse_env.arguments import checked_integer
from impulse_env.batch import NOBODY
from impulse_env.engine.constants import RUNNING
from impulse_env.gpu import HOLD, GpuBatch, GpuOpponent
from impulse_env.options import OPTION_NAMES, Options
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

_ROOM: Final = 1.5
"""Games in which a trained opponent decides at once, as a multiple of its share."""


class DeviceGames:
    """The policy's decisions in many games on a device, see `TrainingGames`.

    All arrays of `SeatGames` are tensors on the device here. Results are read back once in a
    rollout: of each game slot, the latest game to end.

    Attributes:
        batch: The games.
        width: Decisions per step.
        learner_seats: The seat in each game whose results go to the pool, shape ``(games,)``.
    """

    has_points: ClassVar = False

    def __init__(
        self,
        options: Options,
        num_envs: int,
        opponent_pool: OpponentPool,
        reward: str = "win",
        seed: int = 0,
        device: Any = "cuda",
        alike_fraction: float = 0.0,
    ) -> None:
        """Deal the games.

        Raises:
            ConfigError: An opponent cannot play on a device.
            ArgumentError: The device cannot be used.
            MemoryError: The games do not fit the device's free memory.
        """
        games = GAMES_PER_ROW * num_envs
        table = {name: getattr(options, name) for name in OPTION_NAMES}
        self.batch = GpuBatch(games, seed=seed, reward=reward, device=device, **table)
        self.options, self.width, self.opponent_pool = options, num_envs, opponent_pool
        self.steps: list[Step] = []
        self._alike_fraction = alike_fraction
        place = self.batch.device
        self.watch = Stopwatch(place)
        self._rng = torch.Generator(place).manual_seed(checked_integer("seed", seed, 0))
        self._numbers = torch.arange(games, device=place)
        self._seats = torch.arange(options.players, device=place)
        self._randomness = torch.randint(1, 2**62, (games,), generator=self._rng, device=place)
        self.learner_seats = torch.zeros(games, dtype=torch.int64, device=place)
        self._opponents = torch.zeros((games, options.players), dtype=torch.int64, device=place)
        self._lengths = torch.zeros(games, dtype=torch.int64, device=place)
        self._asked_at = torch.zeros(games, dtype=torch.int64, device=place)
        self._paid = torch.zeros((games, options.players), device=place)
        self._now = 1
        self._finished: Finished | None = None  # the latest game to end in each slot, as tensors
        self._players: list[tuple[GpuOpponent, int]] = []
        self.begin()
        self._draw(torch.ones(games, dtype=torch.bool, device=place))
        self._choose_rows()

    # --- State -----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the complete state of the games, without the opponent pool."""
        tensors = {
            "states": self.batch.states,
            "seeds": self.batch.seeds,
            "streams": self._randomness,
            "learner_seats": self.learner_seats,
            "opponents": self._opponents,
            "lengths": self._lengths,
            "asked_at": self._asked_at,
            "paid": self._paid,
            "rng": self._rng.get_state(),
        }
        arrays = {name: tensor.cpu().numpy().copy() for name, tensor in tensors.items()}
        return {**arrays, "now": self._now}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict`; raises `ResumeError` if it has another number of games."""
        if state["states"].shape != tuple(self.batch.states.shape):
            raise ResumeError(
                f"the saved games have shape {state['states'].shape}, not "
                f"{tuple(self.batch.states.shape)}: their number or their format differs"
            )
        new = {
            name: torch.from_numpy(value.copy()).to(self.batch.device)
            for name, value in {**state, "streams": state["streams"].view(np.int64)}.items()
            if name not in ("rng", "now")
        }
        self.batch.replace(new["states"])
        self.batch.seeds.copy_(new["seeds"])
        self._randomness.copy_(new["streams"])
        self.learner_seats, self._opponents = new["learner_seats"], new["opponents"]
        self._lengths, self._asked_at, self._paid = new["lengths"], new["asked_at"], new["paid"]
        self._rng.set_state(torch.from_numpy(state["rng"].copy()))
        self._now = state["now"]
        self._finished = None
        self.steps.clear()
        self._choose_rows()

    # --- Rollouts --------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a rollout with the opponents' present weights and chances.

        Raises:
            ConfigError: An opponent cannot play on a device.
        """
        chances = self.opponent_pool.probabilities()
        borders = torch.as_tensor(np.cumsum(chances)[:-1], dtype=torch.float32)
        self._borders = borders.to(self.batch.device)
        self.steps.clear()
        agents = self.opponent_pool.agents[1:]
        self._players = [
            self._player(agent, chance) for agent, chance in zip(agents, chances[1:], strict=True)
        ]
        self._finished = None

    def _player(self, agent: Agent, chance: float) -> tuple[GpuOpponent, int]:
        """Return an agent on the device, and in how many games it decides at once."""
        games = len(self.batch)
        is_trained = isinstance(agent, PolicyAgent)
        most = min(games, max(1, ceil(_ROOM * chance * games))) if is_trained else games
        try:
            return gpu_agent(agent, self.batch.device, most=most), most
        except AgentError as error:
            raise ConfigError(f"--games device: {error}; --games host plays against any") from error

    def step(self, actions: Tensor) -> list[dict[str, Any]]:
        """Play the policy's actions and the opponents', one decision in every game.

        Args:
            actions: Legal actions of the decisions, shape ``(width,)``, int64, on the device.

        Returns:
            An empty list; see `end`.
        """
        batch, rows, decided = self.batch, self._rows, self.decisions
        seats = batch.seats.long()
        opponents = self._opponents.gather(1, seats[:, None])[:, 0]
        opponents = torch.where(self._is_policys_turn(), CURRENT, opponents)
        plan = torch.full_like(opponents, HOLD)
        plan[rows] = torch.where(decided.seats == NOBODY, HOLD, actions)
        with self.watch.timed("opponents"):
            for number, (player, most) in enumerate(self._players, 1):
                waits = self._longest(opponents == number, most)
                plan = torch.where(waits, player.act(batch, waits, self._randomness), plan)
        is_counted = (plan != HOLD) & (seats == self.learner_seats)
        self._lengths += is_counted
        self._asked_at[rows] = torch.where(decided.seats == NOBODY, self._asked_at[rows], self._now)
        self._now += 1
        batch.step(plan)
        self._paid += batch.rewards
        self.steps.append(Step(decided, [self._ends()]))
        self._choose_rows()
        return []

    def observations(self) -> Tensor:
        """Return the observations of the decisions, see `Games`."""
        return self.batch.observations[self._rows]

    def action_masks(self) -> Tensor:
        """Return the legal actions of the decisions, see `Games`."""
        return self.batch.masks[self._rows] != 0

    def hands(self) -> Tensor:
        """Return the hands of all seats in the decisions' games, see `Games`."""
        return self.batch.field("hand")[self._rows]

    def end(self) -> list[dict[str, Any]]:
        """End a rollout: report the games that ended to the pool, and describe them.

        This waits for the device. For the descriptions see `report`.
        """
        if self._finished is None:
            return []
        read = Finished(*(tensor.cpu().numpy() for tensor in self._finished))
        over = np.flatnonzero(read.status != RUNNING)
        seats = np.arange(self.options.players)
        sides = np.tile(seats % self.options.team_count, (len(over), 1))
        return report(Finished(*(array[over] for array in read)), sides, self.opponent_pool)

    # --- Games -----------------------------------------------------------------------------------

    def _ends(self) -> Ends:
        """Return the ends of the games that the last step ended, and seat the new ones."""
        batch, players = self.batch, self.options.players
        over = batch.status != RUNNING
        is_end = over[:, None] & self._is_policys()
        seats = torch.where(
            is_end, self._numbers[:, None] * players + self._seats, NOBODY
        ).flatten()
        truncated = batch.truncations[:, None].expand(-1, players).flatten()
        ends = Ends(seats, self._paid.flatten(), truncated)
        new = Finished(
            batch.status,
            batch.winners,
            batch.turns,
            self.learner_seats,
            self._opponents,
            self._lengths,
            self._paid.gather(1, self.learner_seats[:, None])[:, 0],
        )
        before = self._finished or Finished(*map(torch.zeros_like, new))
        self._finished = Finished(
            *(
                torch.where(over.view(-1, *[1] * (values.ndim - 1)), values, earlier)
                for values, earlier in zip(new, before, strict=True)
            )
        )
        self._draw(over)
        return ends

    def _draw(self, games: Tensor) -> None:
        """Sample the learner's seat and the opponents of new games."""
        count, players = len(self.batch), self.options.players
        device = self.batch.device
        learner = torch.randint(players, (count,), generator=self._rng, device=device)
        noise = torch.rand((count, players), generator=self._rng, device=device)
        drawn = torch.searchsorted(self._borders, noise, right=True)
        if self._alike_fraction:
            sides = self.options.team_count
            is_alike = torch.rand(count, generator=self._rng, device=device) < self._alike_fraction
            is_ally = self._seats % sides == learner[:, None] % sides
            alike = torch.where(is_ally, CURRENT, drawn[:, :1])
            drawn = torch.where(is_alike[:, None], alike, drawn)
        self.learner_seats = torch.where(games, learner, self.learner_seats)
        self._opponents = torch.where(games[:, None], drawn, self._opponents)
        self._paid = self._paid.masked_fill(games[:, None], 0)
        self._lengths = self._lengths.masked_fill(games, 0)
        self._asked_at = torch.where(games, self._now, self._asked_at)

    def _is_policys(self) -> Tensor:
        """Return whether the policy plays each seat, shape ``(games, players)``."""
        return (self._seats == self.learner_seats[:, None]) | (self._opponents == CURRENT)

    def _is_policys_turn(self) -> Tensor:
        """Return whether the policy decides in each game, shape ``(games,)``."""
        return self._is_policys().gather(1, self.batch.seats.long()[:, None])[:, 0]

    def _waited(self, waits: Tensor) -> Tensor:
        """Return the steps since the policy was asked, 0 in games that do not wait, int64."""
        return torch.where(waits, self._now - self._asked_at + 1, 0)

    def _longest(self, waits: Tensor, most: int) -> Tensor:
        """Return those of the waiting games that have waited longest, `most` of them at most."""
        if most == len(waits):
            return waits
        first = self._waited(waits).topk(most, sorted=False).indices
        return waits & torch.zeros_like(waits).index_fill(0, first, True)

    def _choose_rows(self) -> None:
        """Choose the games that have waited longest, in ascending order, for the next decisions."""
        waited = self._waited(self._is_policys_turn())
        self._rows = rows = waited.topk(self.width, sorted=False).indices.sort().values
        seats = rows * self.options.players + self.batch.seats[rows]
        is_decision = waited[rows] > 0
        self.decisions = Decisions(
            torch.where(is_decision, seats, NOBODY), self._paid.flatten()[seats]
        )

"""Many games that stay on a GPU: stepping, observing and dealing without waiting for the host."""

from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
import torch

from impulse_env.arguments import checked_integer
from impulse_env.batch import NOBODY
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import NO_SEAT, RUNNING, TRUNCATED
from impulse_env.engine.state import STATE
from impulse_env.environments.checks import checked_choice
from impulse_env.environments.rewards import REWARDS, payments
from impulse_env.errors import ArgumentError, IllegalActionError
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.gpu import kernels
from impulse_env.gpu.code import Kernel
from impulse_env.gpu.programs import checked_device, program
from impulse_env.observation import size as observation_size
from impulse_env.options import OPTION_NAMES, OptionError, Options, check_keywords

BYTES: Final = STATE.itemsize
"""Bytes of a record."""
_KEYWORDS: Final = ("seed", "reward", "device", "auto_reset", "observe", "own", *OPTION_NAMES)


@dataclass(frozen=True)
class OwnSeats:
    """One seat of every game, for which the caller of a `GpuBatch` decides.

    Attributes:
        seats: The seats, shape ``(n,)``, int8, on the batch's device.
        randomness: The generator's state of every game's other seats, never 0, shape ``(n,)``,
            int64; every step changes it.
        are_drawn: Whether a game that replaces another draws its own seat uniformly, which changes
            `seats`.
        plays_others: Whether all other seats act at random within a step, until the own seat
            decides or the game ends. Without it a step takes one decision of whatever seat.
    """

    seats: torch.Tensor
    randomness: torch.Tensor
    are_drawn: bool = False
    plays_others: bool = True


class GpuBatch:
    """A batch of games on a GPU in which the caller decides for every seat, or see `OwnSeats`.

    It has the interface of `SelfPlayBatch`, with tensors of torch instead of arrays. A step does
    not wait for the GPU, and a CUDA graph can record it. Game ``i`` begins as that of
    `GameBatch` with seed ``seed + i``. When it ends, the next game is dealt in the same step, from
    the game's own generator: a game depends only on its own actions.

    With ``device="cpu"`` the same kernels run on the processor, in one thread: for tests.

    `step` overwrites the contents of these tensors, which stay the same objects:

    Attributes:
        options: The options that all games share.
        device: The device of all tensors.
        states: The records with all hidden information, shape ``(n, 2432)``, uint8: for people, not
            for agents. See `records`.
        seats: The seats that decide, shape ``(n,)``, int8; `NOBODY` (-1) where a game is over.
        kinds: The kinds of these decisions, as numbers of `engine.constants.Op`, shape ``(n,)``,
            int16; 0 where a game is over.
        masks: Their legal actions, in their own frames, shape ``(n, N_ACTIONS)``, int8.
        observations: Their observations, shape ``(n, observation.size(players))``, uint8.
        rewards: The reward of every seat for the last step, shape ``(n, players)``, float32.
        status: How the last step ended a game, as numbers of `engine.constants`: 0 where it
            continues, shape ``(n,)``, int8.
        terminations: Whether the last step ended a game with a winner, shape ``(n,)``, bool.
        truncations: Whether the last step truncated a game, shape ``(n,)``, bool.
        winners: The team (without teams: the seat) that won the latest game to end there, -1 for
            none, shape ``(n,)``, int8.
        scores: The scores at its end, shape ``(n, players)``, int16.
        turns: Its completed player turns, shape ``(n,)``, int16.
        illegal: Whether the last action was illegal, shape ``(n,)``, bool. Such a game is as it
            was: nobody waits for the GPU to raise an error, see `check_actions`.
    """

    def __init__(
        self,
        num_games: int,
        players: int = 2,
        *,
        seed: int = 0,
        reward: str = "win",
        device: Any = "cuda",
        auto_reset: bool = True,
        observe: bool = True,
        own: OwnSeats | None = None,
        **options: Any,
    ) -> None:
        """Deal the games and advance them to their first decisions.

        Args:
            num_games: Number of games, 1 or more.
            players: Number of players, 2 to 6.
            seed: The seed of the first game, 0 or more; game ``i`` gets ``seed + i``.
            reward: "win" or "score", as in `RawEnv`.
            device: "cuda", "cuda:N" or "cpu".
            auto_reset: Whether a game that ends is replaced by a new one in the same step.
            observe: Whether `step` writes the observations; otherwise `observations` stays 0.
            own: The seats that the caller decides for; None: all seats.
            **options: Options of the game, see `Options`.

        Raises:
            OptionError: An option has a value that is not allowed.
            ArgumentError: There is no such device.
            MemoryError: The games do not fit the device's free memory.
        """
        check_keywords(options, _KEYWORDS)
        count = checked_integer("num_games", num_games, 1, error=OptionError)
        first = checked_integer("seed", seed, 0, error=OptionError)
        self._prepare(Options(players=players, **options), count, reward, device, own)
        self._auto_reset, self._observes = auto_reset, observe
        torch.arange(first, first + count, out=self.seeds)
        self._run(kernels.BEGIN, self.states, self._records, self._blank, self.seeds)
        self._advance()

    @classmethod
    def of_states(
        cls,
        options: Options,
        states: np.ndarray,
        *,
        reward: str = "win",
        device: Any = "cuda",
        auto_reset: bool = True,
        observe: bool = True,
        own: OwnSeats | None = None,
    ) -> Self:
        """Return a batch of copies of games in progress, each at its next decision.

        Args:
            options: The options that all games share.
            states: Full records, shape ``(n,)``, dtype `STATE`.
            reward: As in the constructor, like the others.
            device: "cuda", "cuda:N" or "cpu".
            auto_reset: Whether a game that ends is replaced by a new one.
            observe: Whether `step` writes the observations.
            own: The seats that the caller decides for; None: all seats.

        Raises:
            ArgumentError: There is no game, or a game has another number of players or teams.
        """
        _check_states(options, states)
        batch = cls.__new__(cls)
        batch._prepare(options, len(states), reward, device, own)
        batch._auto_reset, batch._observes = auto_reset, observe
        batch.states.copy_(_bytes(states))
        batch.seeds.copy_(batch._records[:, 0])
        batch._advance()
        return batch

    def _prepare(
        self, options: Options, count: int, reward: str, device: Any, own: OwnSeats | None
    ) -> None:
        """Make the tensors."""
        self.options = options
        self.device = checked_device(device)
        self._by_score = int(checked_choice("reward", reward, REWARDS) == "score")
        players, features = options.players, observation_size(options.players)
        self._check_memory(count, features)

        def zeros(*shape: int, dtype: torch.dtype) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=self.device)

        self.states = zeros(count, BYTES, dtype=torch.uint8)
        self.seeds = zeros(count, dtype=torch.int64)
        self.seats = torch.full((count,), NOBODY, dtype=torch.int8, device=self.device)
        self.kinds = zeros(count, dtype=torch.int16)
        self.masks = zeros(count, SIZE, dtype=torch.int8)
        # Room for whole words past the last observation.
        self._words = zeros(-(-count * features // 4), dtype=torch.int32)
        self.observations = _rows(self._words, count, features)
        self.rewards = zeros(count, players, dtype=torch.float32)
        self.status = zeros(count, dtype=torch.int8)
        self.terminations = zeros(count, dtype=torch.bool)
        self.truncations = zeros(count, dtype=torch.bool)
        self.winners = torch.full((count,), NO_SEAT, dtype=torch.int8, device=self.device)
        self.scores = zeros(count, players, dtype=torch.int16)
        self.turns = zeros(count, dtype=torch.int16)
        self.illegal = zeros(count, dtype=torch.bool)
        self._legal = zeros(count, kernels.WORDS, dtype=torch.int64)
        self._actions = zeros(count, dtype=torch.int64)
        self._over = zeros(1 + count, dtype=torch.int64)
        self._order = torch.arange(count, device=self.device)
        self._keys = zeros(count, dtype=torch.int16)
        if own is not None:
            check_tensor("own.seats", own.seats, self.seats, is_passed=True)
            check_tensor("own.randomness", own.randomness, self.seeds, is_passed=True)
        self._own = own
        frames = absolute_frame(players), own_frame(players)
        self._to_absolute, self._to_own = (torch.tensor(f, device=self.device) for f in frames)
        self._payments = torch.tensor(payments(options), device=self.device)
        self._records = self.states.view(torch.int64)
        self._blank = _bytes(options.new_states([0])).to(self.device).view(torch.int64)[0]

    def _check_memory(self, count: int, features: int) -> None:
        """Raise `MemoryError` if the games do not fit."""
        if self.device.type == "cuda":
            free, _ = torch.cuda.mem_get_info(self.device)
            each = BYTES + SIZE + features + 128
            if count * each > free:
                raise MemoryError(
                    f"{count} games need {count * each / 2**30:.1f} GiB, and {self.device} has "
                    f"{free / 2**30:.1f} GiB free: at most {free // each} games"
                )

    def __len__(self) -> int:
        return len(self.seats)

    # --- Playing ---------------------------------------------------------------------------------

    def step(self, actions: torch.Tensor) -> None:
        """Take one decision in every game, and deal new games where one ended.

        Args:
            actions: Legal actions in the own frame of `seats`, shape ``(n,)``, int64, on the
                batch's device; ignored where a game is over. `HOLD` (-1) leaves a game as it is. So
                does an illegal action, which sets `illegal`.

        Raises:
            ArgumentError: `actions` has another shape, dtype or device; nothing was changed.
        """
        check_tensor("actions", actions, self._actions)
        self._actions.copy_(actions)
        self._advance()

    def random_actions(self, randomness: torch.Tensor) -> torch.Tensor:
        """Return a legal action for every game, drawn uniformly, shape ``(n,)``, int64.

        Args:
            randomness: A generator's state for every game, never 0, shape ``(n,)``, int64; changed.
        """
        check_tensor("randomness", randomness, self.seeds, is_passed=True)
        actions = torch.zeros_like(self._actions)
        self._run(kernels.DRAW, self._legal, randomness, actions)
        return actions

    def play_at_random(self, steps: int, randomness: torch.Tensor) -> None:
        """Take that many random legal decisions in every game, and deal new games where one ends.

        It is faster than `step` with `random_actions`, and draws other actions than that does from
        equal generators. `rewards`, `status` and the like describe the last step.

        Args:
            steps: Number of decisions in each game, 0 or more.
            randomness: A generator's state for every game, never 0, shape ``(n,)``, int64; changed.
        """
        check_tensor("randomness", randomness, self.seeds, is_passed=True)
        if checked_integer("steps", steps, 0) == 0:
            return
        self._run(kernels.DRAW, self._legal, randomness, self._actions)
        for _ in range(steps - 1):
            self._sort()
            self._over[:1].zero_()
            self._step(draws=randomness)
            if self._auto_reset:
                self._step(deals=1, draws=randomness)
        self._advance()

    def check_actions(self) -> None:
        """Wait for the GPU, and check the actions of the last step.

        Raises:
            IllegalActionError: An action was illegal; its game is as it was before.
        """
        refused = self.illegal.nonzero()[:, 0].tolist()
        if refused:
            game = refused[0]
            legal = self.masks[game].nonzero()[:, 0].tolist()
            raise IllegalActionError(
                f"illegal action {int(self._actions[game])} in game {game}, seat "
                f"{int(self.seats[game])}; legal are {legal} ({len(refused)} games had an illegal "
                "action)"
            )

    def deal(self, games: torch.Tensor) -> None:
        """Replace some games by new ones at their first decisions, without waiting for the GPU.

        Args:
            games: Whether each game is replaced, shape ``(n,)``, bool.
        """
        check_tensor("games", games, self.illegal)
        self._list(games)
        self._step(deals=1)
        self._write()

    def observe(self, seats: torch.Tensor) -> torch.Tensor:
        """Return the observations of any seats, also where a game is over; zeros for `NOBODY`.

        Args:
            seats: A seat for every game, shape ``(n,)``, int8.

        Returns:
            A new tensor of shape ``(n, observation.size(players))``, uint8.
        """
        check_tensor("seats", seats, self.seats, is_passed=True)
        words = torch.empty_like(self._words)
        rows = _rows(words, *self.observations.shape)
        self._observe(seats, rows, words)
        return rows

    # --- Records ---------------------------------------------------------------------------------

    def replace(self, states: torch.Tensor) -> None:
        """Replace all games by others, each at its next decision, without waiting for the GPU.

        ``batch.replace(batch.states[numbers])`` copies games, and ``batch.replace(kept)`` takes
        steps back. A finished game stays one until `deal`.

        Args:
            states: Full records, shape ``(n, 2432)``, uint8, on the batch's device.
        """
        check_tensor("states", states, self.states)
        self.states.copy_(states)
        self.seats.fill_(NOBODY)
        self.illegal.zero_()
        self._advance()

    def field(self, name: str) -> torch.Tensor:
        """Return a field of all records, such as "score": a view, which the next step changes.

        Args:
            name: A field of `engine.state.STATE`.

        Returns:
            Shape ``(n, …)`` with the field's own shape and dtype.
        """
        fields: Any = STATE.fields
        kind, start = fields[name][:2]
        numbers = torch.from_numpy(np.empty(0, kind.base)).dtype
        values = self.states[:, start : start + kind.itemsize].view(numbers)
        return values.unflatten(1, kind.shape) if kind.shape else values[:, 0]

    def records(self) -> np.ndarray:
        """Return copies of the games in NumPy, shape ``(n,)``, dtype `STATE`; waits for the GPU."""
        return self.states.to("cpu", copy=True).numpy().view(STATE)[:, 0]

    def views(self) -> torch.Tensor:
        """Return what the seats that decide know: records with hidden fields blank.

        Shape ``(n, 2432)``, uint8. Where a game is over, it is a spectator's view.
        """
        views = self.states.clone()
        self._run(kernels.REDACT, views, self.seats)
        return views

    def determinized(self, seeds: torch.Tensor) -> torch.Tensor:
        """Return full games, each drawn uniformly from those that look the same to its seat.

        Args:
            seeds: Generator states, not 0, shape ``(n,)``, int64; equal seeds and equal views give
                equal games.

        Returns:
            Shape ``(n, 2432)``, uint8; `information.determinize_all` gives the same records.
        """
        check_tensor("seeds", seeds, self.seeds, is_passed=True)
        games = self.states.clone()
        self._run(kernels.DETERMINIZE, games, self.seats, seeds)
        return games

    # --- Inside ----------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Take the actions, deal and observe."""
        self._sort()
        self._over[:1].zero_()
        self._step()
        torch.eq(self.status, TRUNCATED, out=self.truncations)
        torch.gt(self.status, RUNNING, out=self.terminations)
        self.terminations.logical_xor_(self.truncations)
        if self._auto_reset:
            self._step(deals=1)
        self._write()

    def _write(self) -> None:
        """Write the masks and the observations."""
        masks = self.masks.view(torch.int32)
        program(kernels.UNPACK, self.device)(masks.numel(), self._legal, masks)
        if self._observes:
            self._observe(self.seats, self.observations, self._words)

    def _observe(self, seats: torch.Tensor, rows: torch.Tensor, words: torch.Tensor) -> None:
        """Write the observations of these seats; `words` is the memory of `rows`."""
        memory = (rows, words.view(torch.uint8), words)
        games = (self.states, self._records, seats)
        self._run(kernels.OBSERVE, *games, *memory, shared=rows.shape[1])

    def _sort(self) -> None:
        """Order the games by the kind of decision and the action.

        The threads of a warp then do much the same, which makes a GPU faster.
        """
        if self.device.type == "cuda":
            keys = self.kinds * SIZE + self._actions.to(torch.int16)
            torch.sort(keys, out=(self._keys, self._order))

    def _step(self, *, deals: int = 0, draws: torch.Tensor | None = None) -> None:
        """Run the step's kernel; with `draws`, it also draws the next actions."""
        own = self._own
        randomness = draws if draws is not None else self.seeds if own is None else own.randomness
        self._run(
            kernels.STEP,
            *(self.states, self._order, self._actions, self._to_absolute, self._to_own),
            *(self.seats, self.kinds, self._legal),
            *(int(draws is not None), randomness),
            *(self.illegal, self.status, self._payments, self._by_score, self.rewards),
            *(self.winners, self.scores, self.turns, self._over),
            *(deals, self._records, self._blank, self.seeds),
            self.seats if own is None else own.seats,
            *(own is not None and own.are_drawn, own is not None and own.plays_others),
        )

    def _list(self, games: torch.Tensor) -> None:
        """Write the numbers of some games into the list of those that are over."""
        places = games.cumsum(0)
        self._over.zero_()
        numbers = torch.arange(len(self), device=self.device)
        self._over.scatter_add_(0, places * games, numbers * games)
        self._over[0] = places[-1]

    def _run(self, kernel: Kernel, *arguments: Any, shared: int = 0) -> None:
        program(kernel, self.device)(len(self.seats), *arguments, shared=shared)


def check_tensor(name: str, tensor: Any, like: torch.Tensor, *, is_passed: bool = False) -> None:
    """Raise `ArgumentError` unless a tensor has the shape, dtype and device of another.

    A tensor that a kernel gets itself, with `is_passed`, must also be contiguous.
    """
    if not isinstance(tensor, torch.Tensor):
        raise ArgumentError(f"{name} must be a tensor of torch, not {type(tensor).__name__}")
    if (tensor.shape, tensor.dtype, tensor.device) != (like.shape, like.dtype, like.device):
        wanted, given = (
            f"{str(one.dtype).removeprefix('torch.')} of shape {tuple(one.shape)} on {one.device}"
            for one in (like, tensor)
        )
        raise ArgumentError(f"{name} must be {wanted}, not {given}")
    if is_passed and not tensor.is_contiguous():
        raise ArgumentError(
            f"{name} must be contiguous, not a view with strides {tensor.stride()}: "
            "`contiguous()` makes a copy that is"
        )


def _rows(words: torch.Tensor, count: int, features: int) -> torch.Tensor:
    """Return the bytes in those words as `count` rows."""
    return words.view(torch.uint8)[: count * features].view(count, features)


def _bytes(states: np.ndarray) -> torch.Tensor:
    """Return records as bytes, shape ``(n, 2432)``, uint8."""
    rows = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), BYTES)
    return torch.from_numpy(rows.copy())


def _check_states(options: Options, states: np.ndarray) -> None:
    """Raise `ArgumentError` unless these are games with the options' players and teams.

    With others, the kernels would read and write outside their arrays.
    """
    if states.dtype != STATE or states.ndim != 1 or len(states) == 0:
        kind = "STATE" if states.dtype == STATE else states.dtype
        raise ArgumentError(
            f"states must be 1 record or more of dtype STATE, not {kind} of shape {states.shape}"
        )
    given = np.stack([states["players"], states["teams"]], 1)
    for players, teams in given[(given != (options.players, options.team_count)).any(1)]:
        raise ArgumentError(
            f"the options are for {options.players} players in {options.team_count} sides, and a "
            f"game has {players} players in {teams} sides"
        )

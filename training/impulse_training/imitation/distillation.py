"""Distill an agent into a network: `impulse train distill --teacher 5p --out runs/student`.

The teacher plays games with itself and rule-based agents. A network with random initial weights, of
any kind or size, learns the teacher's probabilities and values from every decision once. The games
are not stored: they depend only on the seed and their number. So a stopped distillation continues
exactly as without the stop.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents import registry
from impulse_agents.base import AgentError
from impulse_agents.checkpoints import TRAINED
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import Network, build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.weights_file import write_weights
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.files import check_output
from impulse_env.options import Options, check_least
from impulse_training.imitation.behavior_cloning import batches
from impulse_training.imitation.demonstrations import deal_and_seat
from impulse_training.imitation.imitation_options import DistillArgs
from impulse_training.imitation.student_state import StudentState, load_state, save_state
from impulse_training.run.budget import Budget
from impulse_training.run.common_options import ConfigError, check_network
from impulse_training.run.legs import Legs
from impulse_training.run.machine.allocator import keep_freed_memory
from impulse_training.run.machine.device import check_device, has_bfloat16
from impulse_training.run.masking import mask_logits, probabilities
from impulse_training.run.storage.args_file import options_of
from impulse_training.run.storage.disk import reporting_storage_errors
from impulse_training.run.storage.folder_lock import locked
from impulse_training.run.storage.result import TrainingResult, seconds_left_text
from impulse_training.run.terminal.interrupt import interruptible

GAMES: Final = 512
"""Games of a lesson, played at the same time to their ends."""
HELD_OUT: Final = 64
"""Held-out games for the metrics."""
LARGEST_GRADIENT: Final = 1.0
WARM_UP: Final = 100
"""Minibatches of the learning rate's warm-up."""
REPORTS: Final = 10
"""Number of reports on the metrics during a distillation."""


class Lesson(NamedTuple):
    """Decisions of the teacher, n in all.

    Attributes:
        observations: Shape ``(n, size(players))``, uint8.
        masks: Legal actions, shape ``(n, N_ACTIONS)``, int8.
        logits: The teacher's logits, arbitrary for illegal actions, shape ``(n, N_ACTIONS)``.
        values: Its predicted returns, shape ``(n,)``, float32.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    logits: NDArray[np.float32]
    values: NDArray[np.float32]


class _LessonRunner(GameRunner):
    """Games that record the logits and values of the first entrant, the teacher."""

    def __init__(self, teacher: PolicyAgent, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._teacher = teacher
        self.parts: list[Lesson] = []

    def choose_actions(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Evaluate the teacher once, store the result, and play the likeliest action."""
        if entrant != 0:
            return super().choose_actions(entrant, tables)
        observations, masks = self.batch.observations[tables], self.batch.masks[tables]
        compiled = self._teacher.compiled
        if compiled is None:
            logits, values = self._teacher.evaluate(observations)
        else:
            given = compiled, observations, masks
            logits, values = evaluate_rows(
                *given, needs_values=True, threads=torch.get_num_threads()
            )
        self.parts.append(Lesson(observations, masks, logits, values))
        return np.where(masks != 0, logits, -np.inf).argmax(1)


def lesson(
    teacher: PolicyAgent, options: Options, opponents: tuple[str, ...], seed: list[int], games: int
) -> Lesson:
    """Play games to their ends; return the teacher's decisions in them."""
    entrants = [teacher, *map(registry.make, opponents)]
    rng = np.random.default_rng(seed)
    deals, agent_by_seat = deal_and_seat(rng, games, options.players, len(entrants))
    streams = RngStreams.from_generator(rng, games * options.players)
    watched = _LessonRunner(teacher, entrants, options, deals, agent_by_seat, streams)
    watched.play_to_end()
    return Lesson(*map(np.concatenate, zip(*watched.parts, strict=True)))


@dataclass(frozen=True)
class Foresight:
    """Metrics of a student on held-out games.

    Attributes:
        agreement: Share of decisions in which the likeliest action is the teacher's.
        divergence: Mean Kullback-Leibler divergence of its probabilities from the teacher's, nats.
        explained: Share of the variance of the teacher's values that is explained.
    """

    agreement: float
    divergence: float
    explained: float


@torch.no_grad()
def measure(network: Network, held_out: Lesson, device: str) -> Foresight:
    """Return the metrics of a network on held-out decisions of the teacher."""
    agreed, divergence, values = [], [], []
    for rows in np.array_split(np.arange(len(held_out.values)), len(held_out.values) // 4096 + 1):
        target, legal = _log_shares(held_out, rows, device)
        observed = torch.from_numpy(held_out.observations[rows]).to(device)
        logits, value = network(observed, network.precompute(), legal)
        found = mask_logits(logits, legal).log_softmax(1)
        agreed.append((found.argmax(1) == target.argmax(1)).float().cpu())
        divergence.append((probabilities(target) * (target - found)).sum(1).cpu())
        values.append(value.cpu())
    wrong = held_out.values - torch.cat(values).numpy()
    explained = 1 - float(np.var(wrong) / max(np.var(held_out.values), 1e-9))
    return Foresight(
        float(torch.cat(agreed).mean()), float(torch.cat(divergence).mean()), explained
    )


def _log_shares(taught: Lesson, rows: NDArray[np.intp], device: str) -> tuple[Tensor, Tensor]:
    """Return the logarithms of the teacher's probabilities, and the legal actions."""
    legal = torch.from_numpy(taught.masks[rows]).to(device)
    return mask_logits(torch.from_numpy(taught.logits[rows]).to(device), legal).log_softmax(
        1
    ), legal


class Student:
    """A network that learns from a teacher.

    Args:
        args: The options of the distillation.
        network: The network to train.
    """

    def __init__(self, args: DistillArgs, network: Network) -> None:
        self.args, self.network = args, network
        self.optimizer = torch.optim.Adam(network.parameters(), args.learning_rate)
        self.learned = 0
        self._is_bfloat16 = args.bfloat16 and has_bfloat16(args.device)

    def learn(self, taught: Lesson, rng: np.random.Generator) -> None:
        """Learn from every decision once, up to the number of decisions in the options."""
        for rows in batches(len(taught.values), self.args.minibatch_size, rng):
            if self.learned >= self.args.timesteps:
                return
            for group in self.optimizer.param_groups:
                group["lr"] = self._learning_rate()
            self.optimizer.zero_grad()
            self._loss(taught, rows).backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
            self.optimizer.step()
            self.learned += len(rows)

    def _learning_rate(self) -> float:
        """Return the current learning rate: a warm-up, then a linear decay to 0."""
        args = self.args
        begun = self.learned / args.minibatch_size + 1
        left = 1 - self.learned / args.timesteps
        return args.learning_rate * min(1.0, begun / WARM_UP) * max(left, 0.0)

    def _loss(self, taught: Lesson, rows: NDArray[np.intp]) -> Tensor:
        device = self.args.device
        target, legal = _log_shares(taught, rows, device)
        observed = torch.from_numpy(taught.observations[rows]).to(device)
        with torch.autocast(device.partition(":")[0], torch.bfloat16, enabled=self._is_bfloat16):
            precomputed = self.network.precompute(is_learning=True)
            logits, values = self.network(observed, precomputed, legal)
        policy_loss = F.cross_entropy(mask_logits(logits.float(), legal), probabilities(target))
        expected = torch.from_numpy(taught.values[rows]).to(device)
        return policy_loss + self.args.vf_coef * F.mse_loss(values.float(), expected)


def distill(args: DistillArgs) -> TrainingResult:
    """Fit a network to a teacher in `args.out`, or resume the fit in that folder.

    Raises:
        AgentError: The teacher does not exist or is not a trained agent.
        ConfigError, OptionError: An option has an invalid value.
        ResumeError: The folder holds a fit with other options, or a damaged one.
    """
    _check(args)
    teacher = _teacher_of(args)
    torch.set_num_threads(args.threads)
    keep_freed_memory()
    torch.manual_seed(args.seed)
    options = Options(
        players=teacher.config["players"],
        team_size=(teacher.config.get("trained") or {}).get("team_size"),
    )
    network = build_network(options.players, args.network_config).to(args.device)
    student = Student(args, network)
    folder = args.out
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder), reporting_storage_errors(folder, lambda: "what was saved is whole"):
        state = load_state(folder, args, student.network, student.optimizer)
        student.learned = state.learned
        return _learn(student, teacher, options, state)


def _teacher_of(args: DistillArgs) -> PolicyAgent:
    name = args.teacher if args.teacher.startswith("policy:") else f"policy:{args.teacher}"
    teacher = registry.make(name)
    if not isinstance(teacher, PolicyAgent):
        raise AgentError(f"the teacher must be a trained agent, not {args.teacher}")
    return teacher


def _check(args: DistillArgs) -> None:
    check_network(args)
    check_least(args, 1, "timesteps", "minibatch_size", "threads")
    check_least(args, 0, "seed", "learning_rate", "vf_coef")
    check_device(args.device)
    check_output("--out", args.out, is_folder=True)
    for name in args.opponents:
        registry.make(name)
    if args.save_every <= 0:
        raise ConfigError(f"save_every must be more than 0 seconds, not {args.save_every!r}")


def _learn(
    student: Student, teacher: PolicyAgent, options: Options, state: StudentState
) -> TrainingResult:
    args, budget = student.args, Budget(None, student.args.timesteps)
    budget.seconds, budget.steps, budget.first_steps = state.seconds, state.learned, state.learned
    legs = Legs(args, {"taught_by": teacher.config.get("training", {}), **state.training})
    config = _config(args, teacher, options)
    budget.run(is_running=True)
    held_out = lesson(teacher, options, args.opponents, [args.seed, 0], HELD_OUT)
    saved_at = perf_counter()
    with interruptible(on_continue=budget.skip, after="this lesson") as interrupt:
        for number in _lessons(student, state):
            taught = lesson(teacher, options, args.opponents, [args.seed, number], GAMES)
            student.learn(taught, np.random.default_rng([args.seed, number, 1]))
            budget.tick(student.learned)
            is_last = interrupt.is_requested or student.learned >= args.timesteps
            if is_last or perf_counter() - saved_at > args.save_every:
                training = legs.metadata(student.learned, budget.seconds)
                now = StudentState(student.learned, number, budget.seconds, training)
                save_state(args.out, args, now, student.network, student.optimizer)
                _save_policy(student, {**config, "training": training})
                saved_at = perf_counter()
            if is_last or _is_due(student, len(taught.values)):
                _report(student, held_out, budget)
            if is_last:
                break
    played = PolicyAgent.load(args.out / TRAINED)
    return TrainingResult(
        played,
        args.out,
        [],
        student.learned,
        budget.seconds,
        interrupt.is_requested and student.learned < args.timesteps,
    )


def _lessons(student: Student, state: StudentState) -> Iterator[int]:
    """Yield the numbers of the remaining lessons."""
    number = state.lessons
    while student.learned < student.args.timesteps:
        number += 1
        yield number


def _is_due(student: Student, just_learned: int) -> bool:
    """Whether the last lesson passed another tenth of the decisions."""
    every = max(1, student.args.timesteps // REPORTS)
    return student.learned // every > (student.learned - just_learned) // every


def _report(student: Student, held_out: Lesson, budget: Budget) -> None:
    found = measure(student.network, held_out, student.args.device)
    print(
        f"{budget.seconds:6.0f} s  {student.learned:>10,} decisions  "
        f"agrees in {found.agreement:.1%}, divergence {found.divergence:.3f}, "
        f"values explained {found.explained:.1%}; {seconds_left_text(budget.seconds_left)}",
        flush=True,
    )


def _config(args: DistillArgs, teacher: PolicyAgent, options: Options) -> dict[str, Any]:
    """Return the config of the student's checkpoint; its values have the teacher's meaning."""
    reward = (teacher.config.get("trained") or {}).get("reward")
    about = {"reward": reward, "players": options.players, "team_size": options.team_size}
    trained = {**options_of(args), **about, "out": None}
    return checkpoint_config(options.players, args.network_config, trained=trained, training={})


def _save_policy(student: Student, config: dict[str, Any]) -> None:
    weights = {name: weight.cpu() for name, weight in student.network.state_dict().items()}
    write_weights(student.args.out / TRAINED, json.dumps(config), weights)

"""Learn from a teacher: `impulse train imitate --teacher ismcts:300 --out runs/imitated`.

Records the teacher's decisions in games against itself and others, and fits a network to them: the
policy to its actions, the value to the results of its games. The result is a checkpoint for
`impulse train --warm-start`. Ctrl-C keeps the recorded decisions; the same command continues.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.checkpoints import TRAINED
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import Network, build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.environments.rewards import REWARDS
from impulse_env.extras import missing_extra
from impulse_env.files import check_output
from impulse_env.options import check_least
from impulse_training.imitation.demonstrations import Demonstrations
from impulse_training.imitation.imitation_options import Args
from impulse_training.imitation.shards import load, record_all
from impulse_training.run.common_options import ConfigError, check_network
from impulse_training.run.legs import Legs
from impulse_training.run.machine.allocator import keep_freed_memory
from impulse_training.run.machine.device import check_device
from impulse_training.run.machine.hardware import usable_cores
from impulse_training.run.masking import mask_logits
from impulse_training.run.warm_start import inherit_network, load_warm_start

HOLDOUT: Final = 0.05
"""Share of the shards, at least one, that is held out for the metrics."""


@dataclass(frozen=True)
class HoldoutMetrics:
    """Metrics of a network on held-out decisions.

    Attributes:
        agreement: Share of decisions in which the likeliest action is the teacher's.
        loss: Mean negative logarithm of the probability of the teacher's action, in nats.
        explained: Share of the variance of the returns that the value explains.
    """

    agreement: float
    loss: float
    explained: float


def measure(
    network: Network, decisions: Demonstrations, reward: str, device: str
) -> HoldoutMetrics:
    """Return the metrics of a network on the decisions."""
    agreed, loss, values = [], [], []
    paid = decisions.paid(reward)
    for rows in np.array_split(np.arange(len(paid)), max(1, len(paid) // 4096)):
        with torch.inference_mode():
            logits, value = network(torch.from_numpy(decisions.observations[rows]).to(device))
        logits = mask_logits(logits, decisions.legal(rows))
        actions = torch.from_numpy(decisions.actions[rows]).long().to(device)
        agreed.append((logits.argmax(1) == actions).float().cpu())
        loss.append(F.cross_entropy(logits, actions, reduction="none").cpu())
        values.append(value.cpu())
    wrong = paid - torch.cat(values).numpy()
    explained = 1 - float(np.var(wrong) / max(np.var(paid), 1e-9))
    return HoldoutMetrics(float(torch.cat(agreed).mean()), float(torch.cat(loss).mean()), explained)


def fit(args: Args, shards: Sequence[Demonstrations], console: Console) -> Network:
    """Return a network fitted to most shards; print its metrics on the others."""
    torch.manual_seed(args.seed)
    if args.warm_start is None:
        network = build_network(args.players, args.network_config)
    else:
        network = load_warm_start(
            args.warm_start, args.players, args.network_config
        ).network.train()
    network = network.to(args.device)
    optimizer = torch.optim.Adam(network.parameters(), args.learning_rate)
    held_out = max(1, round(len(shards) * HOLDOUT)) if len(shards) > 1 else 0
    decisions = Demonstrations.joined(shards[: len(shards) - held_out])
    apart = Demonstrations.joined(shards[-held_out:])
    learned = len(decisions.actions)
    per_epoch = max(1, learned // args.minibatch_size)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs * per_epoch)
    paid = torch.from_numpy(decisions.paid(args.reward))
    rng = np.random.default_rng(args.seed)
    with Progress(console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("fitting", total=args.epochs * per_epoch)
        for epoch in range(args.epochs):
            for rows in batches(learned, args.minibatch_size, rng):
                observed = torch.from_numpy(decisions.observations[rows]).to(args.device)
                targets = torch.from_numpy(decisions.targets(rows)).to(args.device)
                legal = torch.as_tensor(decisions.legal(rows), device=args.device)
                logits, values = network(observed, network.precompute(is_learning=True), legal)
                loss = F.cross_entropy(mask_logits(logits, legal), targets)
                loss = loss + args.vf_coef * F.mse_loss(values, paid[rows].to(args.device))
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                bar.advance(task)
            found = measure(network, apart, args.reward, args.device)
            console.print(
                f"epoch {epoch + 1}: agrees in {found.agreement:.1%}, loss {found.loss:.3f}, "
                f"value explains {found.explained:.1%} of the variance of returns "
                f"({len(apart.actions):,} held-out decisions)"
            )
    return network.cpu()


def imitate(args: Args, console: Console) -> Path:
    """Record, fit and save; return the checkpoint."""
    args = inherit_network(args.warm_start, args)
    check_network(args)
    check_least(args, 1, "workers", "epochs", "minibatch_size", "threads")
    check_least(args, 0, "decisions", "seed", "learning_rate")
    if not (args.decisions or args.extra_demonstrations):
        raise ConfigError("decisions must be at least 1 without --extra-demonstrations")
    check_device(args.device)
    if args.reward not in REWARDS:
        raise ConfigError(f"reward must be one of {', '.join(REWARDS)}, not {args.reward!r}")
    check_output("--out", args.out, is_folder=True)
    if args.teacher.startswith("policy"):
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes share the cores
    folder, began, legs = args.out / "decisions", perf_counter(), Legs(args, {})
    # The latest shards come last, so that the held-out shards are among them.
    shards = [
        shard
        for earlier in args.extra_demonstrations
        for shard in _earlier(Path(earlier), args.players)
    ]
    if args.decisions:
        _record(args, folder, console)
        shards += load(folder, args.decisions, args.players)
    torch.set_num_threads(args.threads)
    keep_freed_memory()
    count = sum(len(shard.actions) for shard in shards)
    source = f"of {args.teacher} at tables with {', '.join(args.opponents)}"
    given = f"of {', '.join(args.extra_demonstrations)}"
    console.print(f"{count:,} decisions {source if args.decisions else given}")
    network = fit(args, shards, console)
    trained = asdict(args) | {"out": None}
    made = legs.metadata(count, perf_counter() - began)
    config = checkpoint_config(args.players, args.network_config, trained=trained, training=made)
    checkpoint = args.out / TRAINED
    PolicyAgent(network, config, "imitated").save(checkpoint)
    return checkpoint


def _record(args: Args, folder: Path, console: Console) -> None:
    """Record the teacher's decisions, with a bar."""
    workers = args.workers or usable_cores()
    with Progress(console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"recording {args.teacher}", total=args.decisions)
        for have in record_all(folder, args.source, args.decisions, workers):
            bar.update(task, completed=have)


def _earlier(folder: Path, players: int) -> Iterable[Demonstrations]:
    """Return the decisions of a folder of recorded or exported games."""
    if not any(folder.glob("games-*.parquet")):
        return load(folder, 2**62, players)
    try:
        from impulse_training.imitation.exported import demonstrations_in
    except ImportError as error:
        raise missing_extra("reading Parquet files", error) or error from error
    return demonstrations_in(folder, players)


def batches(count: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Yield all rows once, in random order, in batches of about `size` rows."""
    cuts = np.linspace(0, count, max(1, count // size) + 1).astype(int)
    order = rng.permutation(count)
    for start, stop in pairwise(cuts):
        yield order[start:stop]

"""Train an agent by self-play: `python -m training.train --minutes 10`.

MaskablePPO learns on one seat of many games at once. On the other seats sit itself, its own past,
and the agents that need no training. Ctrl-C ends the training as time running out does: what was
learned is kept. `--help` explains every option.
"""

import json
import subprocess
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import strftime
from typing import Annotated, Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

import agents
from agents.network import PolicyNetwork
from agents.policy import PolicyAgent, describe
from impulse_env.options import Options
from training.arguments import parse
from training.features import policy_arguments
from training.progress import Budget, Monitor, Point
from training.vec_env import OpponentPool, SelfPlayVecEnv


@dataclass(frozen=True)
class Args:
    """Train an agent by self-play against itself, its past and the agents that exist."""

    players: Annotated[int, "players of a game, 2 to 6"] = 2
    teams: Annotated[int | None, "players per team: 2 with 4 players, 2 or 3 with 6"] = None
    minutes: Annotated[float | None, "stop after so many minutes of training"] = None
    timesteps: Annotated[int | None, "stop after so many decisions of the learner"] = None
    seed: Annotated[int, "of the games, the opponents and the network"] = 1
    out: Annotated[Path | None, "folder to write to; new under runs/ if not given"] = None

    reward: Annotated[str, '"win", or "score" with the change of the lead in points'] = "score"
    current: Annotated[float, "weight of the current policy among the opponents"] = 0.5
    past: Annotated[float, "weight of its past, all snapshots together"] = 0.1
    random: Annotated[float, "weight of the agent that plays at random"] = 0.1
    greedy: Annotated[float, "weight of the rule-based agent"] = 0.3
    snapshots: Annotated[int, "how many past policies are kept"] = 3
    snapshot_every: Annotated[int, "updates from one snapshot to the next"] = 20

    games: Annotated[int, "games played side by side"] = 256
    steps: Annotated[int, "decisions in each game between two updates"] = 32
    batch: Annotated[int, "decisions in a minibatch"] = 1024
    epochs: Annotated[int, "passes over the decisions of an update"] = 2
    learning_rate: Annotated[float, "of Adam; it falls to a tenth by the end"] = 2e-3
    gamma: Annotated[float, "discount from one decision to the next; a game has about 100"] = 0.998
    gae_lambda: Annotated[float, "how far advantages look ahead before they trust the value"] = 0.95
    clip: Annotated[float, "how far an update may change the odds of an action"] = 0.2
    entropy: Annotated[float, "weight of the bonus for undecided policies"] = 0.01
    value: Annotated[float, "weight of the value's loss"] = 0.5

    width: Annotated[int, "width of the features"] = 128
    policy_layers: Annotated[tuple[int, ...], "widths of the policy's hidden layers"] = (128,)
    value_layers: Annotated[tuple[int, ...], "widths of the value's hidden layers"] = (128,)
    card_dim: Annotated[int, "length of a card's embedding"] = 16

    device: Annotated[str, "where torch computes: cpu, cuda, …"] = "cpu"
    threads: Annotated[int, "torch's; on a busy machine more than one is much slower"] = 1
    evaluate_every: Annotated[float, "seconds from one evaluation to the next"] = 20.0
    evaluation_games: Annotated[int, "games of an evaluation against each fixed agent"] = 200

    @property
    def network(self) -> dict[str, Any]:
        """The arguments of `PolicyNetwork` but for `players`."""
        return {
            "width": self.width,
            "policy": self.policy_layers,
            "value": self.value_layers,
            "card_dim": self.card_dim,
        }


@dataclass(frozen=True)
class Trained:
    """What a training leaves behind.

    Attributes:
        agent: The agent, playing its likeliest actions.
        folder: Where `policy.pt`, `args.json`, `curve.csv` and TensorBoard's log are.
        curve: The evaluations, first to last.
        steps: Decisions of the learner.
        seconds: Time spent training, without evaluations.
        was_interrupted: Whether Ctrl-C ended it.
    """

    agent: PolicyAgent
    folder: Path
    curve: list[Point]
    steps: int
    seconds: float
    was_interrupted: bool

    @property
    def checkpoint(self) -> Path:
        """The file that `policy:PATH` plays from."""
        return self.folder / "policy.pt"


def train(args: Args) -> Trained:
    """Train until the budget is spent or Ctrl-C is pressed."""
    torch.set_num_threads(args.threads)
    # Rounding must not end a long training: probabilities may sum to 1 ± 1e-6.
    torch.distributions.Distribution.set_default_validate_args(False)
    folder = args.out or Path("runs") / f"train__{args.seed}__{strftime('%Y%m%d-%H%M%S')}"
    folder.mkdir(parents=True, exist_ok=True)
    description = {**asdict(args), "out": str(folder), "commit": _commit()}
    (folder / "args.json").write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")

    options = Options(players=args.players, teams=args.teams)
    learner, pool = _learner(args, "policy"), _pool(args)
    env = SelfPlayVecEnv(options, args.games, pool, args.reward, args.seed)
    budget = Budget(args.minutes, args.timesteps)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=lambda _: args.learning_rate * max(0.1, 1 - budget.spent),
        n_steps=args.steps,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        clip_range=args.clip,
        ent_coef=args.entropy,
        vf_coef=args.value,
        policy_kwargs=policy_arguments(args.players, args.network),
        seed=args.seed,
        device=args.device,
    )
    model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    opponents = [agents.make("random"), agents.make("greedy")]
    monitor = Monitor(
        learner,
        pool,
        budget,
        folder=folder,
        evaluation=(opponents, options, args.evaluation_games, args.evaluate_every),
        snapshot_every=args.snapshot_every,
        past=range(1, 1 + args.snapshots),
    )
    was_interrupted = False
    try:
        model.learn(total_timesteps=2**62, callback=monitor)
    except KeyboardInterrupt:
        was_interrupted = True
    monitor.finish()
    model.logger.close()
    return Trained(learner, folder, monitor.curve, monitor.steps, budget.seconds, was_interrupted)


def _learner(args: Args, name: str, samples: bool = False) -> PolicyAgent:
    """Return an agent over a fresh network."""
    config = describe(args.players, args.network, trained=asdict(args) | {"out": None})
    return PolicyAgent(PolicyNetwork(args.players, **args.network), config, name, samples)


def _pool(args: Args) -> OpponentPool:
    """Return the opponents: itself first, then its past, then those that do not learn."""
    past = [_learner(args, "past", samples=True) for _ in range(args.snapshots)]
    found: list[tuple[agents.Agent, float]] = [
        (_learner(args, "self", samples=True), args.current),
        *((agent, args.past / args.snapshots) for agent in past),
        (agents.make("random"), args.random),
        (agents.make("greedy"), args.greedy),
    ]
    return OpponentPool([agent for agent, _ in found], np.array([weight for _, weight in found]))


def _commit() -> str:
    """Return the commit of the sources, "unknown" outside a checkout."""
    try:
        answer = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return answer.stdout.strip()


def main() -> None:
    """Train and say where the result is."""
    args = parse(Args, "python -m training.train")
    if args.minutes is None and args.timesteps is None:
        args = replace(args, minutes=10.0)
    trained = train(args)
    took = f"{trained.steps:,} steps in {trained.seconds:.0f} s"
    print(f"{took}; the agent is policy:{trained.checkpoint}")


if __name__ == "__main__":
    main()

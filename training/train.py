"""Train an agent by self-play: `python -m training.train --minutes 10`.

MaskablePPO learns on one seat of many games at once. On the other seats sits a league: itself, its
past, and the agents that need no training. Ctrl-C ends the training after the rollout under way;
`--resume FOLDER` goes on with it as if it had never stopped. `--help` explains every option.
"""

import json
from collections import deque
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from time import strftime
from typing import Annotated, Final

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecEnv

import agents
from agents.network import PolicyNetwork
from agents.policy import PolicyAgent, describe
from training.arguments import parse
from training.beginning import agent_to_begin_with, with_network_of
from training.budget import Budget
from training.curve import Point
from training.hyperparameters import GameArgs, NetworkArgs, PpoArgs
from training.interrupt import interruptible
from training.keeping import STATE, ResumeError
from training.league import League
from training.memory import keep_freed_memory
from training.progress import LATELY, Intervals, Monitor
from training.provenance import commit
from training.sb3_policy import NetworkPolicy
from training.vec_env import SelfPlayVecEnv
from training.yardstick import Yardstick

_MAY_CHANGE: Final = ("minutes", "timesteps", "device", "threads", "evaluate_every", "save_every")
"""What `--resume` takes from the command line, if it is there; all else is as it was."""


@dataclass(frozen=True)
class Args(PpoArgs, NetworkArgs, GameArgs):
    """Train an agent by self-play against a league: itself, its past, and the agents that exist."""

    minutes: Annotated[float | None, "stop after so many minutes of training"] = None
    timesteps: Annotated[int | None, "stop after so many decisions of the learner"] = None
    seed: Annotated[int, "of the games, the opponents and the network"] = 1
    out: Annotated[Path | None, "folder to write to; new under runs/ if not given"] = None
    resume: Annotated[Path | None, "go on with the training in this folder"] = None
    start: Annotated[
        str | None, "checkpoint to begin as: path or name; may be for other players, or smaller"
    ] = None

    current: Annotated[float, "share of the current policy among the opponents"] = 0.3
    past: Annotated[float, "share of its past; the harder a snapshot, the more often"] = 0.2
    fixed: Annotated[float, "share of the agents that do not learn; likewise"] = 0.5
    opponents: Annotated[tuple[str, ...], "the agents that do not learn"] = (
        "random",
        *agents.RULE_BASED,
    )
    snapshots: Annotated[int, "how many past policies are kept"] = 12
    snapshot_every: Annotated[int, "updates from one snapshot to the next"] = 20
    past_at_once: Annotated[int, "how many of them play at the same time"] = 1
    past_every: Annotated[int, "updates after which others of them may play"] = 5

    games: Annotated[int, "games played side by side"] = 2048
    steps: Annotated[int, "decisions in each game between two updates"] = 16
    batch: Annotated[int, "decisions in a minibatch"] = 2048
    learning_rate: Annotated[float, "of Adam; it falls to a tenth by the end"] = 1e-3
    device: Annotated[str, "where torch learns: cpu, cuda, …"] = "cpu"
    threads: Annotated[int, "torch's; on a busy machine more than one is much slower"] = 1
    bfloat16: Annotated[bool, "multiply in it where the processor can: quicker, less exact"] = False
    panel: Annotated[tuple[str, ...], "who the training is measured by"] = (
        "random",
        *agents.RULE_BASED,
    )
    evaluate_every: Annotated[float, "seconds from one evaluation to the next"] = 60.0
    evaluate_steps: Annotated[int | None, "decisions between evaluations, instead of seconds"] = (
        None
    )
    evaluation_games: Annotated[int, "games of an evaluation against each of the panel"] = 200
    save_every: Annotated[float, "seconds from one state on disk to the next"] = 300.0


@dataclass(frozen=True)
class Trained:
    """What a training leaves behind.

    Attributes:
        agent: The agent, playing its likeliest actions.
        folder: Where `policy.pt`, `state.pt`, `args.json`, `curve.csv`, `snapshots/` and
            TensorBoard's log are.
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
    """Train until the budget is spent or Ctrl-C is pressed.

    Raises:
        AgentError: An opponent or the checkpoint to start from cannot be made.
        ResumeError: There is no training in the folder to resume, or it does not fit.
        ValueError: An argument is not allowed.
    """
    if args.resume is not None:
        args = _as_it_was(args)
    else:
        args = with_network_of(args.start, args)
    torch.set_num_threads(args.threads)
    torch.set_float32_matmul_precision("medium" if args.bfloat16 else "highest")
    keep_freed_memory()
    torch.manual_seed(args.seed)
    learner = learner_of(args)
    env = SelfPlayVecEnv(args.options, args.games, league_of(args), args.reward, args.seed)
    budget = Budget(args.minutes, args.timesteps)
    yardstick = Yardstick(args.panel, args.options, args.evaluation_games)
    folder = _folder(args)
    model = learning_model(args, env, learner, budget)
    model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    every = Intervals(
        args.evaluate_every,
        args.evaluate_steps,
        args.save_every,
        args.snapshot_every,
        args.past_every,
    )
    monitor = Monitor(learner, env, budget, folder, yardstick, every)
    monitor.model = model
    if args.resume is not None:
        model.ep_info_buffer, model.ep_success_buffer = deque(maxlen=LATELY), deque(maxlen=LATELY)
        monitor.restore()
    with interruptible(monitor.stop) as interrupt:
        model.learn(2**62, monitor, reset_num_timesteps=args.resume is None)
    monitor.finish()
    model.logger.close()
    return Trained(
        learner, folder, monitor.curve, budget.steps, budget.seconds, interrupt.is_wanted
    )


def train_or_go_on(args: Args) -> Trained:
    """Train into `args.out`, or go on with the training that is there already; see `train`."""
    if args.out is not None and (args.out / STATE).is_file():
        return train(Args(resume=args.out, timesteps=args.timesteps, minutes=args.minutes))
    return train(args)


def learning_model(args: Args, env: VecEnv, learner: PolicyAgent, budget: Budget) -> MaskablePPO:
    """Return the algorithm, about to learn from the learner's weights.

    Args:
        args: What is learned and how.
        env: The games.
        learner: Its weights are copied.
        budget: The learning rate falls as it is spent.
    """
    model = MaskablePPO(
        NetworkPolicy,
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
        policy_kwargs={"players": args.players, "network": args.network},
        stats_window_size=LATELY,
        seed=args.seed,
        device=args.device,
    )
    model.policy.network.load_state_dict(learner.network.state_dict())
    return model


def _folder(args: Args) -> Path:
    """Return the folder to write to, with what is known beforehand."""
    if args.resume is not None:
        return args.resume
    folder = args.out or Path("runs") / f"train__{args.seed}__{strftime('%Y%m%d-%H%M%S')}"
    folder.mkdir(parents=True, exist_ok=True)
    description = {**asdict(args), "out": str(folder), "commit": commit()}
    (folder / "args.json").write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")
    return folder


def _as_it_was(args: Args) -> Args:
    """Return the arguments of the training to resume, with the new limits; raises `ResumeError`."""
    path = args.resume / "args.json" if args.resume else Path()
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResumeError(f"there is no training to resume in {args.resume}: {error}") from error
    names = {field.name for field in fields(Args)}
    kept = {k: tuple(v) if isinstance(v, list) else v for k, v in kept.items() if k in names}
    given = {
        field.name: getattr(args, field.name)
        for field in fields(Args)
        if field.name in _MAY_CHANGE and getattr(args, field.name) != field.default
    }
    return Args(**{**kept, **given, "out": None, "resume": args.resume})


def learner_of(args: Args) -> PolicyAgent:
    """Return the agent that is trained: fresh, or with the weights to start from."""
    kept = {"out": None, "resume": None}
    config = describe(args.players, args.network, trained=asdict(args) | kept)
    if args.start is None or args.resume is not None:
        return PolicyAgent(PolicyNetwork(args.players, **args.network), config, "policy")
    first = agent_to_begin_with(args.start, args.players, args.network)
    config["training"] = {"started_from": first.config.get("training", {})}
    return PolicyAgent(first.network, config, "policy")


def league_of(args: Args) -> League:
    """Return the opponents: itself first, then its past, then those that do not learn."""
    config = describe(args.players, args.network)

    def sampling(name: str) -> PolicyAgent:
        return PolicyAgent(PolicyNetwork(args.players, **args.network), config, name, samples=True)

    past = [sampling("past") for _ in range(args.past_at_once if args.snapshots else 0)]
    fixed = [agents.make(name) for name in args.opponents]
    shares = (args.current, args.past, args.fixed)
    return League(sampling("self"), past, fixed, shares, args.snapshots, args.seed)


def main() -> None:
    """Train and say where the result is."""
    args = parse(Args, "python -m training.train")
    if args.minutes is None and args.timesteps is None and args.resume is None:
        args = replace(args, minutes=10.0)
    trained = train(args)
    took = f"{trained.steps:,} steps in {trained.seconds:.0f} s"
    print(f"{took}; the agent is policy:{trained.checkpoint}")


if __name__ == "__main__":
    main()

"""A training run with Stable-Baselines3, from its options to its result."""

from dataclasses import replace
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, make_output_format
from stable_baselines3.common.vec_env import VecMonitor

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.options import OptionError, check_least
from impulse_training.rollout.evaluator import Evaluator
from impulse_training.run.budget import Budget
from impulse_training.run.common_options import check_network
from impulse_training.run.learning_curve import write
from impulse_training.run.legs import Legs
from impulse_training.run.storage.args_file import options_of, write_args
from impulse_training.run.storage.result import TrainingResult, check_run_folder, new_run_folder
from impulse_training.run.terminal.interrupt import interruptible
from impulse_training.run.warm_start import inherit_network, load_warm_start
from impulse_training.sb3.policy import NetworkPolicy
from impulse_training.sb3.sb3_options import Args
from impulse_training.sb3.vec_env import ImpulseVecEnv
from impulse_training.selfplay.progress.progress_bar import ProgressBar


def train(args: Args) -> TrainingResult:
    """Train until the budget is spent, or Ctrl-C or SIGTERM ends the run; then evaluate and save.

    Raises:
        AgentError: An opponent or the checkpoint for a warm start cannot be made.
        ConfigError, OptionError: An option is invalid.
        OutputError: The folder cannot be written.
    """
    args = inherit_network(args.warm_start, args)
    _check(args)
    budget = Budget(args.minutes, args.timesteps)
    check_run_folder(args.out)
    torch.set_num_threads(args.threads)
    evaluator = Evaluator(args.eval_opponents, args.options, args.eval_games)
    env = make_env(args)
    model, legs = make_model(args, env), Legs(args, _earlier(args))
    folder = new_run_folder(args.out, "sb3", args.seed)
    write_args(folder, args)
    logs = str(folder / "tensorboard")
    model.set_logger(Logger(logs, [make_output_format("tensorboard", logs)]))
    limit = _Limit(budget, ProgressBar(budget))
    with interruptible(limit.stop, budget.skip) as interrupt:
        model.learn(2**62, limit)
    agent = agent_of(args, model)
    curve = [evaluator.evaluate(agent).point(budget)]
    agent.config["training"] = legs.metadata(budget.steps, budget.seconds)
    result = TrainingResult(
        agent, folder, curve, budget.steps, budget.seconds, interrupt.is_requested
    )
    agent.save(result.checkpoint)
    write(folder / "curve.csv", curve)
    return result


def _check(args: Args) -> None:
    check_network(args)
    check_least(args, 1, "num_envs", "rollout_steps", "epochs", "threads", "eval_games")
    check_least(args, 2, "minibatch_size")
    check_least(args, 0, "seed")
    if args.num_envs * args.rollout_steps < args.minibatch_size:
        raise OptionError(
            f"minibatch_size must be at most num_envs x rollout_steps, here "
            f"{args.num_envs * args.rollout_steps:,}, not {args.minibatch_size:,}"
        )
    if len(args.opponents) not in (1, args.players - 1):
        raise OptionError(
            f"opponents must be 1 agent, or {args.players - 1}, one for each other seat; not "
            f"{len(args.opponents)}"
        )


def make_env(args: Args) -> VecMonitor:
    """Return the games."""
    opponents = args.opponents[0] if len(args.opponents) == 1 else list(args.opponents)
    return VecMonitor(
        ImpulseVecEnv(
            args.num_envs,
            players=args.players,
            team_size=args.team_size,
            opponents=opponents,
            reward=args.reward,
        )
    )


def make_model(args: Args, env: VecMonitor) -> MaskablePPO:
    """Return the algorithm, with random weights or those of the warm start."""
    model = MaskablePPO(
        NetworkPolicy,
        env,
        learning_rate=args.learning_rate,
        n_steps=args.rollout_steps,
        batch_size=args.minibatch_size,
        n_epochs=args.epochs,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        clip_range=args.clip_range,
        ent_coef=args.ent_coef,
        vf_coef=args.vf_coef,
        policy_kwargs={"players": args.players, "network": args.network_config},
        seed=args.seed,
        device="cpu",
    )
    if args.warm_start is not None:
        first = load_warm_start(args.warm_start, args.players, args.network_config)
        _network_of(model).load_state_dict(first.network.state_dict())
    return model


def agent_of(args: Args, model: MaskablePPO) -> PolicyAgent:
    """Return the agent with a copy of the weights."""
    trained = options_of(replace(args, out=None))
    config = checkpoint_config(args.players, args.network_config, trained=trained, training={})
    agent = PolicyAgent(build_network(args.players, args.network_config), config, "policy")
    agent.set_weights(_network_of(model).state_dict())
    return agent


def _earlier(args: Args) -> dict[str, Any]:
    """Return the metadata of the warm start's training, for `Legs`; empty without a warm start."""
    if args.warm_start is None:
        return {}
    first = load_warm_start(args.warm_start, args.players, args.network_config)
    return {"started_from": first.config.get("training", {})}


def _network_of(model: MaskablePPO) -> torch.nn.Module:
    assert isinstance(model.policy, NetworkPolicy)
    return model.policy.network


class _Limit(BaseCallback):
    """Ends a run when its budget is spent, after a whole rollout and its update."""

    def __init__(self, budget: Budget, bar: ProgressBar) -> None:
        super().__init__()
        self._budget, self._bar = budget, bar
        self._is_wanted_to_end = self._is_over = False

    def stop(self) -> None:
        """End the run after the current rollout and its update."""
        self._is_wanted_to_end = True

    def _on_training_start(self) -> None:
        self._bar.start()
        self._budget.run(True)

    def _on_rollout_start(self) -> None:
        self._is_over = self._is_wanted_to_end or self._budget.spent >= 1

    def _on_step(self) -> bool:
        if not self._is_over:
            self._budget.tick(self.num_timesteps)
            self._bar.update()
        return not self._is_over

    def _on_training_end(self) -> None:
        self._budget.run(False)
        self._bar.stop()

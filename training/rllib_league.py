"""Who plays in the games of `training.train_rllib`, and how RLlib learns from them.

In every game one seat is the policy that learns. Each of the others is drawn: the same policy
again, one of its snapshots, or an agent that does not learn. All seats that the policy plays are
learned from.
"""

import zlib
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.env_runner import EnvRunner

from training.rllib_env import SeatsEnv, Table
from training.rllib_module import FrozenPolicy, MaskedPolicy

LEARNER: Final = "learner"
"""The module that learns. Its snapshots are ``past_0`` and so on."""

Weights = dict[str, Any]
"""Of a module: arrays by name."""


class Episode(Protocol):
    """What is needed of RLlib's episodes."""

    id_: str


@dataclass(frozen=True)
class League:
    """How often each kind of player takes a seat, for all seats but one.

    Attributes:
        current: Weight of the current policy.
        past: Weight of its snapshots, all together.
        fixed: Weight of each agent that does not learn, by name.
        snapshots: How many snapshots are kept.
    """

    current: float
    past: float
    fixed: dict[str, float]
    snapshots: int

    def __post_init__(self) -> None:
        """Raise `ValueError` if nobody could be drawn."""
        weights = [self.current, self.past, *self.fixed.values()]
        if min(weights) < 0 or sum(weights) <= 0:
            raise ValueError(f"weights of opponents must not be negative, nor all 0: {weights}")
        if self.past > 0 and self.snapshots < 1:
            raise ValueError("past policies can play only if snapshots are kept")

    @property
    def chances(self) -> dict[str, float]:
        """The share of the seats that each agent gets that does not learn."""
        total = self.current + self.past + sum(self.fixed.values())
        return {name: weight / total for name, weight in self.fixed.items() if weight > 0}

    @property
    def past_modules(self) -> list[str]:
        """Names of the snapshots' modules."""
        return [f"past_{number}" for number in range(self.snapshots)] if self.past > 0 else []


class Seating:
    """RLlib's mapping from the agents of an episode to modules.

    It follows from the episode's id, so that all parts of an episode agree. One agent is always the
    learner's. The environment, which draws by itself, may have given just that seat to an agent
    that does not learn, and a snapshot be on each of the others: a few games teach nothing.
    """

    def __init__(self, players: int, league: League) -> None:
        self._agents = [f"player_{seat}" for seat in range(players)]
        self._modules = [LEARNER, *league.past_modules]
        both = max(league.current + league.past, 1e-9)
        past = league.past / both / max(1, len(league.past_modules))
        chances = np.full(len(self._modules), past)
        chances[0] = 1 - past * len(league.past_modules)
        self._chances = chances

    def __call__(self, agent_id: str, episode: Episode, **kwargs: Any) -> str:
        """Return the module that plays for the agent."""
        rng = np.random.default_rng(zlib.crc32(episode.id_.encode()))
        drawn = rng.choice(len(self._modules), size=len(self._agents), p=self._chances)
        drawn[rng.integers(len(self._agents))] = 0
        return self._modules[drawn[self._agents.index(agent_id)]]


@dataclass(frozen=True)
class Workers:
    """Where RLlib computes.

    Attributes:
        env_runners: Processes that play; 0: the command's own.
        games: Games that each of them plays side by side.
        learners: Processes that learn, 0 or 1; 0: the command's own.
        gpus: Graphics cards of the process that learns.
    """

    env_runners: int
    games: int
    learners: int
    gpus: int

    def __post_init__(self) -> None:
        """Raise `ValueError` if a number makes no sense."""
        if self.games < 1 or min(self.env_runners, self.learners, self.gpus) < 0:
            raise ValueError(f"numbers of processes, games and cards make no sense: {self}")
        if self.learners > 1:
            # Its episodes of agents that do not act at the same time cannot be split (2.60).
            raise ValueError("RLlib learns a game of turns in one process: learners must be 0 or 1")

    @property
    def cpus(self) -> int:
        """Cores that the processes take of a cluster."""
        return self.env_runners + self.learners


def configured(
    table: Table, league: League, network: dict[str, Any], workers: Workers, **ppo: Any
) -> PPOConfig:
    """Return RLlib's configuration.

    Args:
        table: What is played.
        league: Who plays.
        network: The arguments of `PolicyNetwork` but for `players`.
        workers: Where.
        ppo: Of PPO, as `PPOConfig.training` takes them, and ``seed``.
    """
    players = table.options["players"]
    seed = ppo.pop("seed")
    of_module = {"players": players, "network": network}
    modules = {LEARNER: RLModuleSpec(module_class=MaskedPolicy, model_config=of_module)}
    for name in league.past_modules:
        modules[name] = RLModuleSpec(module_class=FrozenPolicy, model_config=of_module)
    return (
        PPOConfig()
        .api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
        # RLlib's check would play actions without regard to the mask.
        .environment(SeatsEnv, env_config={"table": table}, disable_env_checking=True)
        .env_runners(
            num_env_runners=workers.env_runners,
            num_envs_per_env_runner=workers.games,
            # The first games on a machine wait for the compiler.
            sample_timeout_s=600,
        )
        .learners(
            num_learners=workers.learners,
            num_cpus_per_learner=1,
            num_gpus_per_learner=workers.gpus,
        )
        .multi_agent(
            policies=set(modules),
            policy_mapping_fn=Seating(players, league),
            policies_to_train=[LEARNER],
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .training(use_kl_loss=False, vf_clip_param=float("inf"), **ppo)
        # Whoever plays on a machine that is lost begins anew on another.
        .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=1)
        .debugging(seed=seed, log_level="ERROR")
    )


def weights_of(algorithm: Algorithm) -> Weights:
    """Return the weights of the policy that learns."""
    return algorithm.learner_group.get_weights([LEARNER])[LEARNER]


def take_snapshot(algorithm: Algorithm, module: str) -> None:
    """Let a snapshot be what the policy is now, for all games that go on or begin."""
    weights = weights_of(algorithm)
    # In the learners for the checkpoint, in the processes that play for the games: RLlib itself
    # hands on nothing but what is trained.
    algorithm.learner_group.set_weights({module: weights})

    def take(runner: EnvRunner) -> None:
        runner.module[module].set_state(weights)

    algorithm.env_runner_group.foreach_env_runner(take)

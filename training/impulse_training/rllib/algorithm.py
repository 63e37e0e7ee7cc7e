"""RLlib's PPO, configured for the game and its opponents."""

from typing import Any

from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.env_runner import EnvRunner

from impulse_training.rllib.env import SeatsEnv
from impulse_training.rllib.module import FrozenPolicy, MaskedPolicy
from impulse_training.rllib.opponents import LEARNER, PolicyMapping
from impulse_training.rllib.rllib_options import OpponentWeights, SeatsConfig, Weights, Workers


def ppo_config(
    table: SeatsConfig,
    opponent_weights: OpponentWeights,
    network: dict[str, Any],
    workers: Workers,
    **ppo: Any,
) -> PPOConfig:
    """Return RLlib's configuration.

    Args:
        table: The environment and its fixed agents.
        opponent_weights: The weights of the players.
        network: Description of the network, see `impulse_agents.network.build`.
        workers: The processes of RLlib.
        ppo: Options of PPO, as `PPOConfig.training` takes them, and ``seed``.
    """
    players = table.options["players"]
    seed = ppo.pop("seed")
    of_module = {"players": players, "network": network}
    modules = {LEARNER: RLModuleSpec(module_class=MaskedPolicy, model_config=of_module)}
    for name in opponent_weights.past_modules:
        modules[name] = RLModuleSpec(module_class=FrozenPolicy, model_config=of_module)
    return (
        PPOConfig()
        .api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
        # RLlib's check would ignore the mask and play illegal actions.
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
            policy_mapping_fn=PolicyMapping(players, opponent_weights),
            policies_to_train=[LEARNER],
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .training(use_kl_loss=False, vf_clip_param=float("inf"), **ppo)
        # A lost env runner restarts on another machine.
        .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=1)
        .debugging(seed=seed, log_level="ERROR")
    )


def weights_of(algorithm: Algorithm) -> Weights:
    """Return the weights of the learning policy."""
    return algorithm.learner_group.get_weights([LEARNER])[LEARNER]


def take_snapshot(algorithm: Algorithm, module: str) -> None:
    """Replace a snapshot by the current policy, for all running and new games."""
    weights = weights_of(algorithm)
    # The learners need the weights for the checkpoint, the env runners for the games. RLlib itself
    # only passes on weights of trained modules.
    algorithm.learner_group.set_weights({module: weights})

    def take(runner: EnvRunner) -> None:
        runner.module[module].set_state(weights)

    algorithm.env_runner_group.foreach_env_runner(take)

"""Captures and restores the training state: a resumed run is equal bit for bit.

state_file.save(folder, capture(rounds))
…
restore(rounds, state_file.recover(folder))
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.network.checkpoint import check_weights
from impulse_agents.network.config_check import FieldError
from impulse_training.run.machine.randomness import restore_rng_state, rng_state
from impulse_training.run.storage.tree_file import load_optimizer
from impulse_training.selfplay.environment.games import TrainingGames
from impulse_training.selfplay.environment.opponent_pool import OpponentPool
from impulse_training.selfplay.rounds import Rounds


def capture(rounds: Rounds[TrainingGames]) -> dict[str, Any]:
    """Return the complete training state."""
    env, budget = rounds.env, rounds.budget
    games = env.state_dict()
    return {
        "network": rounds.learner.network.state_dict(),
        "beside": {name: each.state_dict() for name, each in rounds.learner.beside.items()},
        "optimizer": rounds.learner.optimizer.state_dict(),
        "episodes": list(rounds.episodes),
        "learning_rate": rounds.rate.state_dict(),
        "budget": {"seconds": budget.seconds, "steps": budget.steps},
        "env": {**games, "streams": games["streams"].view(np.int64)},  # as a file may hold them
        "rollout": rounds.rollout.state_dict(is_waiting=rounds.args.is_overlapping),
        "opponent_pool": env.opponent_pool.state_dict(),
        "rng_state": rng_state() | {"rollouts": rounds.learner.generator.get_state()},
    }


def restore(rounds: Rounds[TrainingGames], state: dict[str, Any]) -> None:
    """Continue from a state of `capture`; call this last before the training continues.

    The opponents may differ: the seats of missing opponents in running games are resampled.

    Raises:
        ResumeError: The games do not match.
        FieldError: The optimizer's state belongs to another network.
    """
    learner, env, budget = rounds.learner, rounds.env, rounds.budget
    learner.network.load_state_dict(state["network"])
    for name, module in learner.beside.items():
        weights = state["beside"].get(name, {})
        check_weights(weights, module.state_dict())
        module.load_state_dict(weights)
    load_optimizer(learner.optimizer, state["optimizer"])
    _check_moments(learner.optimizer)
    rounds.episodes.extend(state["episodes"])
    budget.seconds, budget.steps = state["budget"]["seconds"], state["budget"]["steps"]
    rounds.steps = budget.steps
    rounds.rate.load_state_dict(state["learning_rate"])
    numbers = env.opponent_pool.load_state_dict(state["opponent_pool"])
    seated = _renumbered(state["env"]["opponents"], numbers, env.opponent_pool, budget.steps)
    streams = state["env"]["streams"].view(np.uint64)
    env.load_state_dict({**state["env"], "opponents": seated, "streams": streams})
    rounds.rollout.load_state_dict(state["rollout"])
    restore_rng_state(state["rng_state"])
    learner.generator.set_state(torch.as_tensor(state["rng_state"]["rollouts"]).cpu())


def _check_moments(optimizer: torch.optim.Optimizer) -> None:
    """Raise `FieldError` if Adam's moments do not have their parameters' shapes."""
    for parameter, moments in optimizer.state.items():
        for name, moment in moments.items():
            if torch.is_tensor(moment) and moment.shape not in (parameter.shape, ()):
                raise FieldError(
                    f"optimizer.{name} must have shape {tuple(parameter.shape)}, not "
                    f"{tuple(moment.shape)}"
                )


def _renumbered(
    seated: NDArray[np.int64], numbers: NDArray[np.int64], pool: OpponentPool, seed: int
) -> NDArray[np.int64]:
    """Return the opponents by their indices in this pool, from those in the earlier pool."""
    renumbered = numbers[seated]
    gone = renumbered < 0
    if gone.any():
        renumbered[gone] = pool.draw((int(gone.sum()),), np.random.default_rng(seed))
    return renumbered

"""Captures and restores the training state: a resumed run is equal bit for bit.

games, rounds = SeatGames(…), Rounds(…)
state_file.save(folder, capture(rounds, games, budget))
…
restore(rounds, games, budget, state_file.recover(folder))
"""

import random
from collections import deque
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.network.checkpoint import check_weights
from impulse_agents.network.config_check import FieldError
from impulse_training.run.budget import Budget
from impulse_training.run.storage.tree_file import load_optimizer
from impulse_training.selfplay.environment.games import TrainingGames
from impulse_training.selfplay.environment.opponent_pool import OpponentPool
from impulse_training.selfplay.learner import Learner
from impulse_training.selfplay.rounds import Rounds
from impulse_training.selfplay.train_options import STATS_WINDOW


def capture(rounds: Rounds, env: TrainingGames, budget: Budget) -> dict[str, Any]:
    """Return the complete training state."""
    games = env.state_dict()
    return {
        "network": rounds.learner.network.state_dict(),
        "beside": _beside(rounds.learner),
        "optimizer": rounds.learner.optimizer.state_dict(),
        "episodes": list(rounds.episodes),
        "learning_rate": rounds.rate.state_dict(),
        "budget": {"seconds": budget.seconds, "steps": budget.steps},
        "env": {**games, "streams": games["streams"].view(np.int64)},  # as a file may hold them
        "rollout": rounds.rollout.state_dict(),
        "opponent_pool": env.opponent_pool.state_dict(),
        "rng_state": rng_state(),
    }


def restore(rounds: Rounds, env: TrainingGames, budget: Budget, state: dict[str, Any]) -> None:
    """Continue from a state of `capture`; call this last before the training continues.

    The opponents may differ: the seats of missing opponents in running games are resampled.

    Raises:
        ResumeError: The games do not match.
        FieldError: The optimizer's state belongs to another network.
    """
    learner = rounds.learner
    learner.network.load_state_dict(state["network"])
    _restore_beside(learner, state["beside"])
    load_optimizer(learner.optimizer, state["optimizer"])
    _check_moments(learner.optimizer)
    rounds.episodes = deque(state["episodes"], maxlen=STATS_WINDOW)
    budget.seconds, budget.steps = state["budget"]["seconds"], state["budget"]["steps"]
    rounds.steps = budget.steps
    rounds.rate.load_state_dict(state["learning_rate"])
    numbers = env.opponent_pool.load_state_dict(state["opponent_pool"])
    seated = _renumbered(state["env"]["opponents"], numbers, env.opponent_pool, budget.steps)
    streams = state["env"]["streams"].view(np.uint64)
    env.load_state_dict({**state["env"], "opponents": seated, "streams": streams})
    rounds.rollout.load_state_dict(state["rollout"])
    restore_rng_state(state["rng_state"])


def _beside(learner: Learner) -> dict[str, dict[str, Any]]:
    """Return the weights of the critic and of the average, those of them that there are."""
    modules = {"critic": learner.critic, "average": learner.average}
    return {name: each.state_dict() for name, each in modules.items() if each is not None}


def _restore_beside(learner: Learner, saved: dict[str, dict[str, Any]]) -> None:
    """Restore them; raises `FieldError` if they do not fit."""
    for name, weights in _beside(learner).items():
        check_weights(saved.get(name, {}), weights)
    if learner.critic is not None:
        learner.critic.load_state_dict(saved["critic"])
    if learner.average is not None:
        learner.average.load_state_dict(saved["average"])


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


def rng_state() -> dict[str, Any]:
    """Return the states of the generators that a training draws from."""
    shuffling = np.random.get_state(legacy=False)  # noqa: NPY002 - it shuffles decisions
    return {
        "torch": torch.get_rng_state(),
        "numpy": (
            str(shuffling["bit_generator"]),
            np.asarray(shuffling["state"]["key"]).astype(np.int64),
            int(shuffling["state"]["pos"]),
            int(shuffling["has_gauss"]),
            float(shuffling["gauss"]),
        ),
        "python": random.getstate(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def restore_rng_state(state: dict[str, Any]) -> None:
    """Restore the states of these generators."""
    torch.set_rng_state(torch.as_tensor(state["torch"]))
    name, keys, *rest = state["numpy"]
    np.random.set_state((name, np.asarray(keys).astype(np.uint32), *rest))  # noqa: NPY002
    version, internal, gauss = state["python"]
    random.setstate((version, tuple(internal), gauss))
    if torch.cuda.is_available() and state["cuda"]:
        torch.cuda.set_rng_state_all([torch.as_tensor(one) for one in state["cuda"]])

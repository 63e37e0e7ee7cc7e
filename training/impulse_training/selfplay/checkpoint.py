"""A training on disk: everything that it needs to go on as if it had never stopped.

model, env = make_ppo(…), SeatVecEnv(…)
save(path, capture(model, env, budget))
…
restore(model, env, budget, load(path))
"""

import pickle
import random
from collections import deque
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from impulse_env.files import replacing
from impulse_training.run.budget import Budget
from impulse_training.run.result import ResumeError
from impulse_training.selfplay.config import STATS_WINDOW
from impulse_training.selfplay.ppo import policy_of, rollout_buffer_of
from impulse_training.selfplay.seat_vec_env import SeatVecEnv

FORMAT: Final = 3
STATE: Final = "state.pt"
"""The file's name in the folder of a training."""
_PPO: Final = {
    "steps": "num_timesteps",
    "updates": "_n_updates",
    "observations": "_last_obs",
    "episode_starts": "_last_episode_starts",
}
"""Attributes of `MaskablePPO`, by what they are called in the file."""


def capture(model: MaskablePPO, env: SeatVecEnv, budget: Budget) -> dict[str, Any]:
    """Return everything that decides how a training goes on."""
    policy = policy_of(model)
    return {
        "network": policy.network.state_dict(),
        "optimizer": policy.optimizer.state_dict(),
        "ppo": {name: getattr(model, attribute) for name, attribute in _PPO.items()},
        "episodes": list(model.ep_info_buffer or ()),
        "budget": {"seconds": budget.seconds, "steps": budget.steps},
        "env": env.state_dict(),
        "rollout": rollout_buffer_of(model).state_dict(),
        "opponent_pool": env.opponent_pool.state_dict(),
        "rng_state": rng_state(),
    }


def restore(model: MaskablePPO, env: SeatVecEnv, budget: Budget, state: dict[str, Any]) -> None:
    """Go on from what `capture` returned; to be called last before the training goes on.

    Raises:
        ResumeError: The games or the opponents are others.
    """
    policy = policy_of(model)
    policy.network.load_state_dict(state["network"])
    policy.optimizer.load_state_dict(state["optimizer"])
    for name, attribute in _PPO.items():
        setattr(model, attribute, state["ppo"][name])
    model.ep_info_buffer = deque(state["episodes"], maxlen=STATS_WINDOW)
    model.ep_success_buffer = deque(maxlen=STATS_WINDOW)
    budget.seconds, budget.steps = state["budget"]["seconds"], state["budget"]["steps"]
    env.load_state_dict(state["env"])
    rollout_buffer_of(model).load_state_dict(state["rollout"])
    env.opponent_pool.load_state_dict(state["opponent_pool"])
    restore_rng_state(state["rng_state"])


def save(path: Path, state: dict[str, Any]) -> None:
    """Write a state; whoever reads it meanwhile, or after a crash, sees the old one or the new."""
    with replacing(path) as file:
        torch.save({"format": FORMAT, **_to_tensors(state)}, file)


def load(path: Path) -> dict[str, Any]:
    """Return a state; executes nothing from the file. Raises `ResumeError`."""
    if not path.is_file():
        raise ResumeError(f"there is no training to go on with: {path} is missing")
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        found = state.pop("format")
    except (OSError, RuntimeError, EOFError, KeyError, pickle.UnpicklingError) as error:
        raise ResumeError(f"{path} is no state of a training, or only part of one") from error
    if found != FORMAT:
        raise ResumeError(
            f"{path} is the state of a training of another version (format {found}, not {FORMAT}): "
            f"begin a new one with --warm-start {path.with_name('policy.pt')}"
        )
    return _to_arrays(state)


def rng_state() -> dict[str, Any]:
    """Return the states of the generators that Stable-Baselines3 and torch share."""
    shuffling = np.random.get_state(legacy=False)  # noqa: NPY002 - what SB3 shuffles with
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
    """Let those generators go on where they were."""
    torch.set_rng_state(torch.as_tensor(state["torch"]))
    name, keys, *rest = state["numpy"]
    np.random.set_state((name, np.asarray(keys).astype(np.uint32), *rest))  # noqa: NPY002
    version, internal, gauss = state["python"]
    random.setstate((version, tuple(internal), gauss))
    if torch.cuda.is_available() and state["cuda"]:
        torch.cuda.set_rng_state_all([torch.as_tensor(one) for one in state["cuda"]])


def _to_tensors(value: Any) -> Any:
    """Return the same with tensors for arrays, which are all that may be loaded safely."""
    if isinstance(value, np.ndarray):
        return {"__array__": torch.from_numpy(np.ascontiguousarray(value))}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _to_tensors(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_to_tensors(one) for one in value)
    return value


def _to_arrays(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"__array__"}:
            return value["__array__"].numpy()
        return {key: _to_arrays(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_to_arrays(one) for one in value)
    return value

#!/usr/bin/env bash
# Guess: RescaleObservation(env, 0, 1) maps bytes from 0..255 to floats in 0..1.
# Behaviour: every value becomes 0. The wrapper computes the slope in the dtype of the observation
# space, so 1/255 is stored as an integer 0. A float conversion before it helps, after it does not.
# The same for one environment and for a vector of them; nothing warns.
# Versions: gymnasium 1.4.0, numpy 2.4.6, Python 3.11.
# Source: gymnasium/wrappers/utils.py, rescale_box: gradient and intercept take the dtype of the Box.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check gymnasium==1.4.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'END'
import gymnasium
import numpy as np
from gymnasium import spaces, wrappers
from gymnasium.wrappers import vector


class Bytes(gymnasium.Env):
    observation_space = spaces.Box(0, 255, (3,), np.uint8)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.array([0, 128, 255], np.uint8), {}


def seen(env):
    values = np.round(env.reset(seed=1)[0].astype(float), 2)
    print(values.tolist())
    return values.ravel().tolist()


def games():
    return gymnasium.vector.SyncVectorEnv([Bytes])


zeros, right = [0, 0, 0], [0, 0.5, 1]
assert seen(wrappers.RescaleObservation(Bytes(), 0, 1)) == zeros
first = wrappers.DtypeObservation(Bytes(), np.float32)
assert seen(wrappers.RescaleObservation(first, 0, 1)) == right
last = wrappers.RescaleObservation(Bytes(), 0, 1)
assert seen(wrappers.DtypeObservation(last, np.float32)) == zeros
assert seen(vector.RescaleObservation(games(), 0, 1)) == zeros
first = vector.DtypeObservation(games(), np.float32)
assert seen(vector.RescaleObservation(first, 0, 1)) == right
END

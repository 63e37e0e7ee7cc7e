#!/usr/bin/env bash
# Guess: in the step that ends a game, infos hold the last infos of that game, or keep them under
# a key such as final_info.
# Behaviour: they are the infos of the reset that follows at once; the last ones are lost. Rewards
# and terminations are those of the game that ended.
# Versions: supersuit 3.11.0, pettingzoo 1.27.0, gymnasium 1.4.0.
# Source: supersuit/vector, step of the wrapper of a parallel environment: it merges the infos of
# the reset over those of the last step.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check supersuit==3.11.0 pettingzoo==1.27.0 gymnasium==1.4.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'END'
import numpy as np
import supersuit
from gymnasium import spaces
from pettingzoo import ParallelEnv


class Counting(ParallelEnv):
    """A game of three steps; the info tells how many were played."""

    metadata = {"name": "counting"}
    render_mode = None
    possible_agents = ["a", "b"]

    def observation_space(self, agent):
        return spaces.Box(0, 3, (1,), np.float32)

    def action_space(self, agent):
        return spaces.Discrete(2)

    def _shown(self):
        seen = {a: np.array([self.played], np.float32) for a in self.possible_agents}
        return seen, {a: {"played": self.played} for a in self.possible_agents}

    def reset(self, seed=None, options=None):
        self.agents, self.played = list(self.possible_agents), 0
        return self._shown()

    def step(self, actions):
        self.played += 1
        seen, infos = self._shown()
        is_over = self.played == 3
        rewards = {"a": float(is_over), "b": -float(is_over)}
        ends = dict.fromkeys(self.possible_agents, is_over)
        if is_over:
            self.agents = []
        return seen, rewards, ends, dict.fromkeys(self.possible_agents, False), infos


games = supersuit.concat_vec_envs_v1(
    supersuit.pettingzoo_env_to_vec_env_v1(Counting()), num_vec_envs=1
)
games.reset(seed=1)
played = []
for _ in range(3):
    seen, rewards, ends, _, infos = games.step(np.zeros(2, int))
    played.append(infos[0]["played"])
    print("over", ends.tolist(), "rewards", rewards.tolist(), "infos", infos[0])
assert ends.all() and rewards.tolist() == [1, -1]
assert played == [1, 2, 0] and "final_info" not in infos[0]
END

#!/usr/bin/env bash
# Guess: a mask in infos[agent]["action_mask"] restricts what IPPO plays, as it restricts MADDPG.
# Behaviour: MADDPG obeys arrays and lists, for one game and for many. IPPO raises ValueError for an
# array, and plays illegal actions without a word where the masks of many games are lists.
# Versions: agilerl 2.58.0, peft 0.21.0, torch 2.13.0 (CPU), Python 3.11.
# Source: agilerl/algorithms/ippo, how get_action reads the masks out of the infos.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check agilerl==2.58.0 peft==0.21.0 torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'END'
import numpy as np
from agilerl.algorithms import IPPO, MADDPG
from gymnasium import spaces

agents, games = ["a", "b"], 64
only_2 = np.array([0, 0, 1, 0])
one = {agent: np.zeros(3, np.float32) for agent in agents}
many = {agent: np.zeros((games, 3), np.float32) for agent in agents}
cases = {
    "one game, array": (one, only_2),
    "many games, array": (many, np.tile(only_2, (games, 1))),
    "many games, lists": (many, np.tile(only_2, (games, 1)).tolist()),
}
found = {}
for kind in (MADDPG, IPPO):
    box, discrete = [spaces.Box(0, 1, (3,), np.float32)] * 2, [spaces.Discrete(4)] * 2
    learner = kind(box, discrete, agent_ids=agents)
    for name, (seen, mask) in cases.items():
        infos = {agent: {"action_mask": mask} for agent in agents}
        try:
            played = learner.get_action(seen, infos)[0]
            result = sorted({int(a) for part in played.values() for a in np.ravel(part)})
        except ValueError:
            result = "ValueError"
        found[kind.__name__, name] = result
        print(kind.__name__, name, result)
assert [found["MADDPG", name] for name in cases] == [[2]] * 3
assert found["IPPO", "one game, array"] == found["IPPO", "many games, array"] == "ValueError"
assert len(found["IPPO", "many games, lists"]) > 1
END

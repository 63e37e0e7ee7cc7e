#!/usr/bin/env bash
# Guess: `debug=True` only prints more, as the docstring of `make` says.
# Behaviour: with debug, an agent's exception leaves `env.run`. Without it, the agent gets the status
# ERROR and the episode ends by its rules. A game tested in debug mode never sees a failed agent.
# Version: kaggle-environments 1.33.2, Python 3.11.
# Source: kaggle_environments/agent.py, Agent.act: `if self.debug` calls the agent without `try`.
# Output seen:
#   without debug: ['ERROR', 'DONE'] [None, 0]
#   with debug: RuntimeError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    kaggle-environments==1.33.2
LITELLM_LOCAL_MODEL_COST_MAP=True "$folder/venv/bin/python" -W ignore - <<'END'
from kaggle_environments import make


def failing(observation, configuration):
    raise RuntimeError("no network")


last = make("connectx").run([failing, "random"])[-1]
statuses, rewards = [agent.status for agent in last], [agent.reward for agent in last]
print("without debug:", statuses, rewards)
assert statuses == ["ERROR", "DONE"] and rewards[0] is None
try:
    make("connectx", debug=True).run([failing, "random"])
except RuntimeError:
    print("with debug: RuntimeError")
else:
    raise AssertionError("with debug the exception was caught")
END

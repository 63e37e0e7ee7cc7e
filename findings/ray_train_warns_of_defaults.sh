#!/usr/bin/env bash
# Guess: a training by Ray Train that sets no option of Ray Data, and reads no dataset, gives no
# deprecation warning about Ray Data's options.
# Behaviour: DataContext is a dataclass whose __setattr__ warns of deprecated options. Its own
# __init__ assigns their defaults, so the first DataContext of a process warns of
# use_push_based_shuffle, which nobody set. TorchTrainer.fit() makes one. Where warnings are errors,
# as in many test suites, the training ends there; a filter for the module "ray" lets it run.
# Versions: ray 2.60.0, Python 3.11, Linux x86-64.
# Source: ray/data/context.py, DataContext.__setattr__ and get_current.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "ray[data]==2.60.0"
"$folder/venv/bin/python" - <<'END'
import warnings

from ray.data import DataContext

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    DataContext.get_current()
said = [str(one.message) for one in caught if one.category is DeprecationWarning]
print("\n".join(said))
assert any("use_push_based_shuffle" in one for one in said), "no warning of a default any more"
END

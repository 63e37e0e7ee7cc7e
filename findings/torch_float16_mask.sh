#!/usr/bin/env bash
# Guess: torch.finfo(dtype).min is a safe number to mask logits of illegal actions with.
# Behaviour: in float16 log_softmax subtracts the largest logit from it, which leaves the range, so
# the log-probability is -inf and probability times log-probability is NaN: the entropy is NaN.
# Half of that number stays finite. A fixed -1e8 is refused as not representable.
# Versions: torch 2.13.0 (CPU), Python 3.11.
# Source: the kernel of log_softmax rounds to float16 at the end; masked_fill checks the range.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'END'
import torch

logits = torch.tensor([30.0, 40.0, 50.0], dtype=torch.float16)
illegal = torch.tensor([False, False, True])
lowest = torch.finfo(torch.float16).min


def entropy(value):
    logs = logits.masked_fill(illegal, value).log_softmax(0)
    print(value, logs.tolist())
    return -(logs.exp() * logs).sum()


assert torch.isnan(entropy(lowest))
assert torch.isfinite(entropy(lowest / 2))
try:
    entropy(-1e8)
except RuntimeError as error:
    print("RuntimeError:", error)
else:
    raise SystemExit("-1e8 was taken")
END

#!/usr/bin/env bash
# Guess: on a CPU, the exponential of a float32 tensor takes the same time whatever its numbers are.
# Behaviour: where the result underflows (-1e8, the usual logit of an illegal action), torch.exp is
# several times slower than for small numbers, and slowest where the result is denormal. torch.exp2
# of the same numbers and the softmax of log-probabilities, which gives the same result, are not.
# Versions: torch 2.13.0 (CPU, x86-64), numpy 2.4.6, Python 3.11.
# Output seen: 0.08 ms for -1, 0.9 ms for -1e8, 2.7 ms for -100; exp2 0.03 ms, softmax 0.13 ms.
# Source: contiguous float32 goes to the vector library of MKL, which leaves its fast path for a
# result out of the normal range; exp2 and softmax use kernels of torch itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'END'
from time import perf_counter

import torch

torch.set_num_threads(1)


def seconds(function):
    spent = []
    for _ in range(200):
        begun = perf_counter()
        function()
        spent.append(perf_counter() - begun)
    return sorted(spent)[50]


def masked(value):
    logits = torch.full((512, 180), value)
    logits[:, 0] = 0
    return logits


plain, low, denormal = (seconds(masked(value).exp) for value in (-1.0, -1e8, -100.0))
illegal = masked(-1e8)
other, softmax = seconds(illegal.exp2), seconds(lambda: illegal.softmax(1))
print(f"exp {plain:.6f} {low:.6f} {denormal:.6f}, exp2 {other:.6f}, softmax {softmax:.6f}")
assert low > 4 * plain
assert denormal > low
assert other < low / 4
assert softmax < low / 2
assert torch.equal(illegal.exp(), illegal.softmax(1))
END

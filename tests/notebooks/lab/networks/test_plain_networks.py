"""Networks without pointers are networks of one's own, and learn."""

import pytest
import torch

from impulse_agents.network.build import build_network
from networks import observations
from paths import ROOT


@pytest.mark.parametrize("name", ["flat", "cards"])
def test_all_of_it_learns(name):
    made = build_network(3, {"kind": f"{ROOT / 'notebooks/lab/networks/plain_networks.py'}:{name}"})
    logits, values = made(observations(3, decisions=10), made.precompute(is_learning=True))
    (logits.log_softmax(1)[:, ::7].sum() + values.square().sum()).backward()
    for weights in made.parameters():
        assert torch.isfinite(weights.grad).all()
        assert weights.grad.any()

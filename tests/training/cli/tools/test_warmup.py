"""What is compiled beforehand is what is used afterwards."""

import numpy as np
import pytest

from impulse_agents.network import compiled
from impulse_env.actions import N_ACTIONS
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.observation import size
from impulse_training.cli.tools import warmup
from networks import network


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_a_network_is_run_by_what_was_compiled_without_one():
    warmup.STEPS["networks of trained agents"]()
    before = len(compiled._run_all.signatures)
    seen, masks = np.zeros((2, size(2)), np.uint8), np.ones((2, N_ACTIONS), np.int8)
    compiled.evaluate_rows(network(2).pack(), seen, masks, needs_values=True)
    assert len(compiled._run_all.signatures) == before >= 1

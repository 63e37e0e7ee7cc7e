"""The compiled forward pass is the network's own."""

import numpy as np
import pytest
import torch

import impulse_agents
from impulse_agents import checkpoints
from impulse_agents.base import ObservationBatch
from impulse_agents.network import compiled
from impulse_agents.network.agent import FEW_ROWS, PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.config_check import KINDS
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import GameBatch
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.observation import size
from impulse_env.options import Options
from networks import NETWORK, network, observations

ODD = {"width": 13, "policy": (7, 5, 3), "value": (11,), "card_dim": 3}
SHALLOW = {"width": 9, "policy": (), "value": (), "card_dim": 2}
ROWS = 40 if IS_COMPILED else 3
needs_compiler = pytest.mark.skipif(not IS_COMPILED, reason="slow where nothing is compiled")


def assert_same(made, seen):
    """Logits and values of `made` are those of the packed network, to five digits and better.

    The logits of the shipped networks reach 124, where neighbours among float32 are 8e-6 apart, and
    those near 0 are differences of terms as large.
    """
    every = np.ones((len(seen), N_ACTIONS), np.int8)
    found = evaluate_rows(made.pack(), seen.numpy(), every, needs_values=True)
    with torch.inference_mode():
        for one, expected in zip(found, made(seen), strict=True):
            wanted = expected.numpy()
            atol = max(1e-5, 2 * np.spacing(np.abs(wanted).max()))
            assert np.allclose(one, wanted, atol=atol, rtol=1e-5)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [NETWORK, ODD, SHALLOW], ids=["even", "odd", "shallow"])
def test_it_is_the_same_function_for_every_network(players, kind, shape):
    seen = observations(players, decisions=40)
    rows = np.random.default_rng(players).permutation(len(seen))[:ROWS]
    assert_same(network(players, kind=kind, **shape), seen[rows])


@needs_compiler
@pytest.mark.parametrize("name", checkpoints.shipped())
def test_it_is_the_same_function_for_the_shipped_agents(name):
    made = PolicyAgent.load(checkpoints.path_of(name))
    assert_same(made.network, observations(made.config["players"]))


def test_every_code_of_every_feature_counts():
    """Positions of random games do not have every card in every slot."""
    made, rng = network(3), np.random.default_rng(0)
    packed = made.pack()
    most = packed.features.highest_code
    codes = rng.integers(1, np.maximum(most, 1), (ROWS, size(3)), endpoint=True)
    seen = np.where(most > 0, codes, 0).astype(np.uint8)
    assert_same(made, torch.from_numpy(seen))


def test_a_code_that_does_not_exist_is_taken_for_the_highest():
    packed = network(2).pack()
    most, every = packed.features.highest_code, np.ones((1, N_ACTIONS), np.int8)
    wrong = np.full((1, size(2)), 255, np.uint8)
    right = np.where(most > 0, most, 255).astype(np.uint8)[None]
    found, expected = (evaluate_rows(packed, seen, every, True) for seen in (wrong, right))
    assert (found[0] == expected[0]).all()
    assert found[1] == expected[1]


def test_only_what_is_asked_for_is_computed_and_a_row_is_the_same_among_others():
    packed, seen = network(2).pack(), observations(2, decisions=20)[-ROWS:].numpy()
    masks = np.random.default_rng(0).integers(0, 2, (len(seen), N_ACTIONS)).astype(np.int8)
    every, values = evaluate_rows(packed, seen, np.ones_like(masks), needs_values=True)
    some, none = evaluate_rows(packed, seen, masks, needs_values=False)
    assert (some == np.where(masks, every, 0)).all()
    assert (none == 0).all()
    for row in range(len(seen)):
        one = slice(row, row + 1)
        alone, value = evaluate_rows(packed, seen[one], masks[one], needs_values=True)
        assert (alone[0] == some[row]).all()
        assert value[0] == values[row]


def agent_of(made, players=2):
    return PolicyAgent(made, checkpoint_config(players, NETWORK), "made")


@needs_compiler
def test_many_rows_are_computed_in_threads_to_the_same_bits(monkeypatch):
    asked = []
    call = compiled.call
    monkeypatch.setattr(
        compiled, "call", lambda *given: asked.append(len(given[2])) or call(*given)
    )
    monkeypatch.setattr(compiled, "ROWS_PER_THREAD", 40)
    packed, seen = network(2).pack(), observations(2).numpy()[:125]
    masks = (np.random.default_rng(0).random((len(seen), N_ACTIONS)) < 0.2).astype(np.int8)
    whole = evaluate_rows(packed, seen, masks, True)
    for threads, expected in ((1, [125]), (2, [62, 63]), (8, [41, 42, 42])):
        asked.clear()
        for one, other in zip(
            evaluate_rows(packed, seen, masks, True, threads), whole, strict=True
        ):
            assert (one == other).all()
        assert sorted(asked) == expected


@needs_compiler
def test_what_an_agent_evaluates_does_not_hang_on_how_much_it_evaluates():
    agent, seen = agent_of(network(2)), observations(2).numpy()[: 2 * FEW_ROWS]
    many = agent.evaluate(seen)
    for start in range(0, len(seen), FEW_ROWS - 1):
        some = slice(start, start + FEW_ROWS - 1)
        for part, whole in zip(agent.evaluate(seen[some]), many, strict=True):
            assert np.allclose(part, whole[some], atol=1e-5)


@needs_compiler
@pytest.mark.parametrize("name", checkpoints.shipped())
def test_a_shipped_agent_chooses_what_torch_would(name):
    agent = PolicyAgent.load(checkpoints.path_of(name))
    batch = GameBatch(Options(players=agent.config["players"]), range(8))
    streams, other = RngStreams.from_seeds(range(8)), impulse_agents.make("random")
    for _ in range(40):
        seen = ObservationBatch.from_batch(batch)
        with torch.inference_mode():
            logits = agent.network(torch.from_numpy(seen.observations))[0].numpy()
        best = np.where(seen.masks, logits, -np.inf)
        chosen = best[np.arange(len(seen)), agent.act(seen, streams)]
        assert chosen == pytest.approx(best.max(1), abs=1e-4)
        batch.step(other.act(seen, streams))

"""The network sees every feature, and its fast form is the same function."""

import numpy as np
import pytest
import torch

from impulse_agents.base import ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_own
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.config_check import KINDS
from impulse_agents.network.features import (
    CARD_CODES,
    Features,
    PrecomputedFeatures,
    card_attributes,
)
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import GameBatch
from impulse_env.engine.action_space import CARD_0, PLACE_0
from impulse_env.engine.constants import CELLS, FACES, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE
from impulse_env.observation import high, sections, size
from impulse_env.options import Options
from naive_features import NaiveFeatures
from networks import NETWORK, observations


def small(players, seed, kind):
    """A network with weights as a training begins with."""
    torch.manual_seed(seed)
    return build_own(players, {**NETWORK, "kind": kind})


@pytest.mark.parametrize("players", range(2, 7))
def test_folded_features_are_the_same(players):
    torch.manual_seed(players)
    features = Features(sections(players), 16, 4)
    seen = observations(players)
    with torch.no_grad():
        quick, naive = PrecomputedFeatures(features), NaiveFeatures(features)
        assert torch.allclose(quick(seen), naive(seen), atol=1e-5)


@pytest.mark.parametrize("players", range(2, 7))
def test_no_input_drowns_the_others(players):
    """What the dense layer reads is of one size; an input ten times as large is hard to unlearn."""
    torch.manual_seed(players)
    features = Features(sections(players), 16, 16)
    with torch.no_grad():
        read = NaiveFeatures(features).inputs(observations(players))
    sizes = {}
    for (part, section, *_), column in zip(features.inputs(), read.T, strict=True):
        sizes.setdefault((part, section), []).append(column)
    sizes = {name: float(torch.cat(of).square().mean().sqrt()) for name, of in sizes.items()}
    assert max(sizes.values()) < 2, sizes
    assert sizes["by face", "unseen"] > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_a_folded_network_is_the_same(kind):
    made, seen = small(3, 1, kind), observations(3)
    with torch.no_grad():
        found = made(seen)
        for one, naive in zip(found, made(seen, NaiveFeatures(made.features)), strict=True):
            assert torch.allclose(one, naive, atol=1e-5)
        for one, precomputed in zip(found, made(seen, made.precompute()), strict=True):
            assert torch.equal(one, precomputed)
        for one, whole in zip(found, made(seen, made.precompute(may_wait=False)), strict=True):
            assert torch.allclose(one, whole, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_with_masks_the_logits_of_legal_actions_are_the_same(kind):
    made, seen = small(2, 1, kind), observations(2)
    masks = torch.rand(len(seen), N_ACTIONS) < 0.3
    masks[::2, PLACE_0 : PLACE_0 + PLACES] = False
    masks[1] = True
    with torch.no_grad():
        (whole, value), (some, same) = made(seen), made(seen, masks=masks)
        assert torch.allclose(whole[masks], some[masks], atol=1e-6)
        assert torch.equal(value, same)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_precomputed_has_the_same_gradients(kind):
    made, seen = small(2, 2, kind), observations(2)
    weights = torch.rand(len(seen), N_ACTIONS)
    found = []
    for way in (lambda: NaiveFeatures(made.features), lambda: made.precompute(is_learning=True)):
        made.zero_grad()
        logits, values = made(seen, way())
        ((logits * weights).sum() + values.square().sum()).backward()
        found.append([parameter.grad.clone() for parameter in made.parameters()])
    for plain, folded in zip(*found, strict=True):
        assert torch.allclose(plain, folded, rtol=1e-3, atol=1e-3 * float(plain.abs().max()))


@pytest.mark.parametrize("kind", KINDS)
def test_pointers_score_cards_and_places_and_nothing_else(kind):
    made, seen = small(2, 1, kind), observations(2)[-50:]
    with torch.no_grad():
        before, _ = made(seen)
        made.card_pointer.wanted.bias += 1
        (made.place_pointer if kind == "pointers" else made.map_pointer).wanted.bias += 1
        changed = (made(seen)[0] - before).abs().amax(0) > 1e-6
    expected = np.zeros(N_ACTIONS, bool)
    expected[CARD_0 : CARD_0 + FACES] = expected[PLACE_0 : PLACE_0 + PLACES] = True
    assert (changed.numpy() == expected).all()


def test_a_place_is_scored_by_its_own_neighbourhood():
    """What lies on a far cell does not change the score of a gate, what lies beside it does."""
    torch.manual_seed(1)
    pointer = PolicyNetwork(2, **NETWORK).place_pointer
    cards, hidden = torch.randn(CARD_CODES, 4), torch.randn(1, 16)
    seen = torch.zeros(1, size(2), dtype=torch.uint8)
    with torch.no_grad():
        before = pointer(hidden, seen, cards)[0]
        seen[0, pointer.cards.start] = 7
        changed = np.flatnonzero((pointer(hidden, seen, cards)[0] != before).numpy())
    near = {0, *(CELLS + g for g, pair in enumerate(CELLS_OF_GATE) if 0 in pair)}
    assert set(changed.tolist()) <= near
    assert len(changed) > 1


@pytest.mark.parametrize("players", [2, 6])
def test_no_feature_is_overlooked(players):
    torch.manual_seed(0)
    features = PrecomputedFeatures(Features(sections(players), 512, 8))
    zeros = torch.zeros(1, size(players))
    each = torch.diag(torch.from_numpy(high(players).astype(np.float32)))
    # Alone in its row, a place is the last one and one of all: both are seen.
    with torch.no_grad():
        changes = (features(each) - features(zeros)).abs().amax(1)
    overlooked = np.flatnonzero(changes.numpy() == 0)
    names = {s.name for i in overlooked for s in sections(players) if s.start <= i < s.stop}
    assert names == set()


def test_no_card_is_embedded_as_nothing():
    features = Features(sections(2), 16, 4)
    assert (features.cards()[0] == 0).all()
    assert (card_attributes()[0] == 0).all()
    assert len(card_attributes()) == CARD_CODES
    assert 0 <= card_attributes().min() <= card_attributes().max() <= 1


@pytest.mark.parametrize("is_half", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_network_has_the_numbers_of_its_file_and_none_were_drawn(kind, is_half, tmp_path):
    made = small(3, 7, kind)
    config = checkpoint_config(3, {**NETWORK, "kind": kind})
    PolicyAgent(made, config, "made").save(tmp_path / "made.safetensors", is_half)
    chance = torch.get_rng_state()
    loaded = PolicyAgent.load(tmp_path / "made.safetensors").network
    assert torch.equal(torch.get_rng_state(), chance)
    for name, weight in loaded.named_parameters():
        wanted = made.get_parameter(name)
        assert weight.dtype == torch.float32
        assert weight.requires_grad
        assert torch.equal(weight, wanted.half().float() if is_half else wanted)
    constants = dict(loaded.named_buffers())
    assert constants.keys() == dict(made.named_buffers()).keys()
    for name, value in constants.items():
        assert torch.equal(value, made.get_buffer(name))


def test_new_weights_change_what_is_played():
    first, second = PolicyNetwork(2, **NETWORK), PolicyNetwork(2, **NETWORK)
    agent = PolicyAgent(first, checkpoint_config(2, NETWORK), "first")
    other = PolicyAgent(second, checkpoint_config(2, NETWORK), "second")
    batch = GameBatch(Options(), range(50))
    seen = ObservationBatch.from_batch(batch)
    before = agent.act(seen, RngStreams.from_seeds(range(50)))
    wanted = other.act(seen, RngStreams.from_seeds(range(50)))
    assert (before != wanted).any()
    agent.set_weights(second.state_dict())
    assert (agent.act(seen, RngStreams.from_seeds(range(50))) == wanted).all()


@pytest.mark.parametrize("is_stochastic", [True, False])
def test_a_policy_says_the_networks_probabilities_whether_it_draws_or_not(is_stochastic):
    network = PolicyNetwork(2, **NETWORK)
    agent = PolicyAgent(network, checkpoint_config(2, NETWORK), "made", is_stochastic)
    seen, streams = (
        ObservationBatch.from_batch(GameBatch(Options(), [0])),
        RngStreams.from_seeds([0]),
    )
    shares = agent.action_probabilities(seen, streams)
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(seen.observations))
    logits[seen.masks == 0] = -torch.inf
    assert shares == pytest.approx(logits.softmax(1).numpy(), abs=1e-6)
    assert (shares > 0).sum() == seen.masks.sum() > 1
    assert streams.states[0] == RngStreams.from_seeds([0]).states[0]


def test_a_sampling_policy_draws_with_the_networks_probabilities():
    network = PolicyNetwork(2, **NETWORK)
    agent = PolicyAgent(network, checkpoint_config(2, NETWORK), "sampling", is_stochastic=True)
    batch = GameBatch(Options(), [0])
    rows = np.zeros(20_000, np.int64)
    drawn = agent.act(
        ObservationBatch.from_batch(batch, rows), RngStreams.from_seeds(range(20_000))
    )
    with torch.no_grad():
        logits = network(torch.from_numpy(batch.observations))[0][0]
    logits[batch.masks[0] == 0] = -torch.inf
    expected = logits.softmax(0).numpy() * len(drawn)
    found = np.bincount(drawn, minlength=len(expected))
    assert (abs(found - expected) <= 5 * np.sqrt(expected) + 1e-6).all()

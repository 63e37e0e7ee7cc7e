"""A larger network begins as a smaller one, and all that is new can be learned."""

import pytest
import torch

import impulse_agents
from impulse_agents.network.config_check import KINDS
from impulse_agents.network.transfer import can_expand
from impulse_training.run.warm_start import inherit_network, load_warm_start
from impulse_training.selfplay.train_options import Args
from networks import NETWORK, network, observations

LARGER = {
    "wider": {"width": 24, "policy": (20,), "value": (17,)},
    "deeper": {"policy": (16, 16), "value": (16, 18, 20)},
    "both": {"width": 24, "policy": (30, 20, 40), "value": (18,)},
    "as large": {},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", LARGER)
def test_it_begins_as_the_same_function(how, kind):
    smaller, larger = network(3, kind=kind), network(3, seed=1, kind=kind, **LARGER[how])
    larger.widen(smaller)
    seen = observations(3, decisions=40)
    with torch.no_grad():
        for mine, its in zip(larger(seen), smaller(seen), strict=True):
            assert torch.allclose(mine, its, atol=1e-4)


def test_every_weight_that_is_new_is_learned():
    smaller, larger = network(2), network(2, seed=1, **LARGER["both"])
    larger.widen(smaller)
    before = {name: weight.clone() for name, weight in larger.named_parameters()}
    seen = observations(2, decisions=40)
    optimizer = torch.optim.Adam(larger.parameters())
    for _ in range(6):  # every step makes new units heard by the next layer
        logits, values = larger(seen)
        optimizer.zero_grad()
        (logits.log_softmax(1)[:, ::7].sum() + values.square().sum()).backward()
        optimizer.step()
    units = NETWORK["width"]  # of each layer of the smaller network
    for name in ("features.dense", "policy.0", "policy.2", "policy.4", "critic.0", "value"):
        moved = larger.get_parameter(f"{name}.weight") != before[f"{name}.weight"]
        assert moved[:units, :units].any()
        assert name == "value" or moved[units:].any()
        assert name == "features.dense" or moved[:, units:].any()


@pytest.mark.parametrize(
    "changes",
    [
        {"width": 15},
        {"policy": ()},
        {"policy": (15, 16)},
        {"policy": (16, 15)},  # the layer that is new must let all of the one before through
        {"value": (15,)},
        {"card_dim": 5},
    ],
)
def test_what_it_cannot_begin_as(changes):
    small = {**NETWORK, "kind": "pointers"}
    assert can_expand(small, small)
    assert not can_expand(small, {**small, **changes})


def test_a_network_learns_to_read_the_map_from_where_it_was():
    smaller, larger = network(3), network(3, seed=1, kind="map", **LARGER["wider"])
    assert can_expand({"kind": "pointers", **NETWORK}, {"kind": "map", **NETWORK})
    assert not can_expand({"kind": "map", **NETWORK}, {"kind": "pointers", **NETWORK})
    larger.widen(smaller)
    seen = observations(3, decisions=40)
    before = larger.map.rounds[0].gate.weight.clone()
    optimizer = torch.optim.Adam(larger.parameters())
    for turn in range(3):
        logits, values = larger(seen)
        if turn == 0:
            with torch.no_grad():
                for mine, its in zip((logits, values), smaller(seen), strict=True):
                    assert torch.allclose(mine, its, atol=1e-4)
        optimizer.zero_grad()
        (logits.log_softmax(1)[:, ::7].sum() + values.square().sum()).backward()
        optimizer.step()
    for layer in (larger.from_map, *larger.map_pointer.children()):
        assert layer.weight.any()
    assert not torch.equal(larger.map.rounds[0].gate.weight, before)


def test_a_shipped_agent_grows_for_its_own_table_and_for_another():
    shipped = impulse_agents.make("policy:4p")
    known = shipped.config["network"]
    larger = {**known, "width": known["width"] + 8, "policy": [*known["policy"], 300]}
    seen = observations(4, decisions=5)
    begun = load_warm_start("4p", 4, larger)
    assert begun.config["network"] == larger
    assert begun.config["training"] == shipped.config["training"]
    with torch.no_grad():
        assert torch.allclose(begun.network(seen)[0], shipped.network(seen)[0], atol=1e-3)
        as_before, grown = (load_warm_start("4p", 3, one).network for one in (known, larger))
        seen = observations(3, decisions=5)
        assert torch.allclose(as_before(seen)[0], grown(seen)[0], atol=1e-3)
    with pytest.raises(impulse_agents.AgentError, match="needs the same or a larger one"):
        load_warm_start("4p", 4, {**known, "width": 8})


def test_the_network_is_that_of_the_start_unless_another_is_asked_for():
    found = impulse_agents.make("policy:2p").config["network"]
    begun = inherit_network("2p", Args(seed=7))
    assert {
        **begun.network_config,
        "policy": list(begun.policy_layers),
        "value": list(begun.value_layers),
    } == found
    assert begun.seed == 7
    larger = Args(width=1024)
    assert inherit_network("2p", larger) == larger
    assert inherit_network(None, Args()) == Args()
    with pytest.raises(impulse_agents.AgentError, match="no checkpoint"):
        inherit_network("nowhere.safetensors", Args())

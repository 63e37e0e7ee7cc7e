"""A network for other players sees the same in what both tables have."""

import numpy as np
import pytest
import torch

import impulse_agents
from impulse_agents.network.player_transfer import transfer_players
from impulse_env.observation import sections, size
from impulse_training.run.warm_start import load_warm_start
from networks import NETWORK, network, observations


def place(index, shape):
    return int(np.ravel_multi_index(index, shape)) if shape else 0


def spread(seen, players, larger):
    """Observations as a larger table would show them, were nobody on its other seats."""
    found = torch.zeros(len(seen), size(larger), dtype=seen.dtype)
    where = {part.name: part for part in sections(larger)}
    for part in sections(players):
        to = where[part.name]
        for column, index in enumerate(np.ndindex(part.shape), part.start):
            if all(one < length for one, length in zip(index, to.shape, strict=True)):
                found[:, to.start + place(index, to.shape)] = seen[:, column]
    return found


@pytest.mark.parametrize(("players", "larger"), [(2, 3), (3, 4), (4, 5), (5, 6), (2, 6)])
def test_what_both_tables_have_counts_the_same(players, larger):
    other = network(larger)
    made = network(players, seed=1)
    transfer_players(made, other)
    seen = observations(players, decisions=40)
    as_seen = spread(seen, players, larger)
    with torch.no_grad():
        inner = []
        for one, rows in ((made, seen), (other, as_seen)):
            one.features.dense.register_forward_hook(lambda _, __, out: inner.append(out))
            one.features(rows)
        # What empty seats add is the same for every observation.
        apart = inner[1] - inner[0]
        assert torch.allclose(apart, apart[:1].expand_as(apart), atol=1e-4)
        assert not torch.allclose(inner[0], inner[0][:1].expand_as(apart), atol=1e-1)
        hidden = torch.randn(len(seen), NETWORK["policy"][-1])
        places = [
            one.place_pointer(hidden, rows, one.features.cards())
            for one, rows in ((made, seen), (other, as_seen))
        ]
        assert torch.allclose(*places, atol=1e-4)


def test_a_new_seat_begins_as_the_last_known():
    made, other = network(4, seed=1), network(3)
    transfer_players(made, other)
    at_gate = made.place_pointer.at_gate.weight
    assert torch.equal(at_gate[:, :3], other.place_pointer.at_gate.weight)
    assert torch.equal(at_gate[:, 3], at_gate[:, 2])


def test_as_many_players_are_a_copy():
    made, other = network(4, seed=1), network(4)
    transfer_players(made, other)
    for mine, theirs in zip(made.state_dict().values(), other.state_dict().values(), strict=True):
        assert torch.equal(mine, theirs)


def test_other_differences_are_refused_and_nothing_is_changed():
    made = network(3, width=32)
    before = {name: weight.clone() for name, weight in made.state_dict().items()}
    with pytest.raises(ValueError, match="differ in more than the players: in "):
        transfer_players(made, network(4))
    assert all(torch.equal(weight, before[name]) for name, weight in made.state_dict().items())


def test_flat_networks_do_not_know_seats():
    with pytest.raises(ValueError, match="a flat network cannot"):
        transfer_players(network(3, kind="flat"), network(4, kind="flat"))


def test_a_shipped_agent_begins_a_training_for_others_and_plays():
    shipped = impulse_agents.make("policy:4p")
    begun = load_warm_start("4p", 3, shipped.config["network"])
    assert begun.config["players"] == 3
    assert begun.config["training"] == shipped.config["training"]
    seen = observations(3, decisions=5)
    assert begun.network.logits(seen).isfinite().all()
    with pytest.raises(impulse_agents.AgentError, match="holds a network"):
        load_warm_start("4p", 3, {**shipped.config["network"], "width": 8})

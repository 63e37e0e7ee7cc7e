"""A network for other players sees the same in what both tables have."""

import numpy as np
import pytest
import torch

import impulse_agents
from impulse_agents.network.transfer import transfer_players
from impulse_env.observation import sections, size
from impulse_training.run.warm_start import load_warm_start
from naive_features import NaiveFeatures
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
            inner.append(one.features.dense(NaiveFeatures(one.features).inputs(rows)))
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


@pytest.mark.parametrize(("players", "larger"), [(2, 3), (5, 6), (2, 6)])
def test_the_map_is_read_the_same_at_both_tables(players, larger):
    other = network(larger, kind="map")
    made = network(players, seed=1, kind="map")
    transfer_players(made, other)
    seen = observations(players, decisions=40)
    with torch.no_grad():
        mine, theirs = (
            one.map(rows) for one, rows in ((made, seen), (other, spread(seen, players, larger)))
        )
    for one, expected in zip(mine, theirs, strict=True):
        assert torch.allclose(one, expected, rtol=1e-4, atol=1e-3)


def test_a_new_seat_begins_as_the_last_known():
    made, other = network(4, seed=1, kind="map"), network(3, kind="map")
    transfer_players(made, other)
    for layer in ("place_pointer.at_gate", "map.gate_seats"):
        weight, known = (one.get_parameter(f"{layer}.weight") for one in (made, other))
        assert torch.equal(weight[:, :3], known[:, :3])
        assert torch.equal(weight[:, 3], weight[:, 2])
    context, known = (one.map.context for one in (made, other))
    for seat, its in ((0, 0), (2, 2), (3, 2)):
        column, from_ = (
            one.names["counts"].index(("", "gems", *index))
            for one, index in ((context, (seat, 1)), (known, (its, 1)))
        )
        assert torch.equal(context.counts.weight[:, column], known.counts.weight[:, from_])


@pytest.mark.parametrize("kind", ["pointers", "map"])
def test_as_many_players_are_a_copy(kind):
    made, other = network(4, seed=1, kind=kind), network(4, kind=kind)
    transfer_players(made, other)
    for mine, theirs in zip(made.state_dict().values(), other.state_dict().values(), strict=True):
        assert torch.equal(mine, theirs)


def test_other_differences_are_refused_and_nothing_is_changed():
    made = network(3, width=32)
    before = {name: weight.clone() for name, weight in made.state_dict().items()}
    with pytest.raises(ValueError, match="differ in more than the observation: in "):
        transfer_players(made, network(4))
    assert all(torch.equal(weight, before[name]) for name, weight in made.state_dict().items())


def test_a_shipped_agent_begins_a_training_for_others_and_plays():
    shipped = impulse_agents.make("policy:4p")
    begun = load_warm_start("4p", 3, shipped.config["network"])
    assert begun.config["players"] == 3
    assert begun.config["training"] == shipped.config["training"]
    seen = observations(3, decisions=5)
    assert begun.network(seen)[0].isfinite().all()
    with pytest.raises(impulse_agents.AgentError, match="has a network"):
        load_warm_start("4p", 3, {**shipped.config["network"], "width": 8})

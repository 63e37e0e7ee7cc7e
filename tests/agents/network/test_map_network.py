"""The map as a graph: neighbours hear of each other, and everybody of the decision."""

import numpy as np
import pytest
import torch

from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.compiled_map import MAP_DIM
from impulse_agents.network.map_network import CONTEXT, MAP_ROUNDS, POOLS
from impulse_env.actions import N_ACTIONS
from impulse_env.engine.constants import CELLS, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE, COORDINATES
from impulse_env.observation import high, sections, size
from networks import network, observations

HEARD = (*CONTEXT, "cell_card", "transports", "cruisers", "home", "fleet_from", "path")


def encoder(players):
    return network(players, kind="map").map


def heard(players):
    """Columns of the observation that the map is read from; of several frames' places the first."""
    columns = [
        column
        for part in sections(players)
        for column in range(part.start, part.stop)
        if part.name in HEARD or (part.name == "frame_place" and column == part.start)
    ]
    return np.array(columns)


def steps(one, other):
    (q, r), (p, s) = COORDINATES[one], COORDINATES[other]
    return max(abs(q - p), abs(r - s), abs(q + r - p - s))


@pytest.mark.parametrize("players", [2, 6])
def test_it_depends_on_its_inputs_and_nothing_else(players):
    made = encoder(players)
    begun = observations(players, decisions=40)[-1:]
    changed = begun.repeat(size(players), 1)
    each = torch.arange(size(players))
    changed[each, each] = torch.where(begun[0] == 0, torch.from_numpy(high(players).copy()), 0)
    with torch.no_grad():
        before, after = made(begun)[0], made(changed)[0]
    moved = (after - before).abs().amax((1, 2)) > 1e-5 * before.max()
    assert set(np.flatnonzero(moved.numpy())) == set(heard(players))


def test_a_cell_is_heard_of_as_many_steps_away_as_there_are_rounds():
    made, seen = encoder(3), observations(3, decisions=40)[-1:]
    where = {part.name: part.start for part in sections(3)}
    for cell in (0, 9, 16):
        changed = seen.clone()
        changed[0, where["cell_card"] + cell] = 7 if seen[0, where["cell_card"] + cell] != 7 else 8
        with torch.no_grad():
            apart = (made(changed)[0] - made(seen)[0]).abs().amax((0, 2)).numpy() > 0
        near = {other for other in range(CELLS) if steps(cell, other) <= MAP_ROUNDS}
        reached = {
            CELLS + gate
            for gate, pair in enumerate(CELLS_OF_GATE)
            if min(steps(cell, int(end)) for end in pair) < MAP_ROUNDS
        }
        assert set(np.flatnonzero(apart)) <= near | reached
        assert apart[cell]
        assert apart.sum() > len(near) / 2


def test_shapes():
    seen = observations(4, decisions=10)
    with torch.no_grad():
        places, pools = encoder(4)(seen)
    assert places.shape == (len(seen), PLACES, MAP_DIM)
    assert pools.shape == (len(seen), len(POOLS) * MAP_DIM)
    assert (places >= 0).all()


@pytest.mark.parametrize("players", [2, 5])
def test_the_sums_are_the_mean_of_all_places_and_half_of_what_those_with_own_ships_say(players):
    seen = observations(players, decisions=60)
    with torch.no_grad():
        places, pools = encoder(players)(seen)
    where = {part.name: part.start for part in sections(players)}
    parts, own_sums, have_more = [], [], False
    for some, name in ((slice(0, CELLS), "transports"), (slice(CELLS, PLACES), "cruisers")):
        of_places = places[:, some].numpy()
        own = seen[:, where[name] : where[name] + of_places.shape[1]].numpy()
        parts.append(of_places.mean(1))
        own_sums.append(
            np.stack([told[ships > 0].sum(0) for told, ships in zip(of_places, own, strict=True)])
        )
        have_more |= bool((own > 1).any() and ((own > 0).sum(1) > 1).any())
    assert have_more  # fleets of several ships, and several fleets
    expected = np.concatenate([*parts, *(sums / 2 for sums in own_sums)], axis=1)
    assert np.allclose(pools.numpy(), expected, atol=1e-4)


def test_the_same_fleet_means_the_same_on_other_gates():
    """Turned about the own home, a map without other marks says the same at the mirrored places."""
    made = encoder(2)
    torch.nn.init.zeros_(made.spot)
    where = {part.name: part for part in sections(2)}
    seen = torch.zeros(2, size(2), dtype=torch.uint8)
    mirrored = [COORDINATES.index((q + r, -r)) for q, r in COORDINATES]
    seen[0, where["cell_card"].start + 4], seen[1, where["cell_card"].start + mirrored[4]] = 9, 9
    seen[0, where["transports"].start + 1], seen[1, where["transports"].start + mirrored[1]] = 3, 3
    with torch.no_grad():
        places, pools = made(seen)
    assert mirrored[4] != 4
    assert torch.allclose(places[0, :CELLS], places[1, mirrored], atol=1e-5)
    assert torch.allclose(pools[0], pools[1], atol=1e-5)


def test_codes_that_do_not_exist_are_no_fault_of_compiled_code():
    made = network(2, kind="map")
    seen = np.full((2, size(2)), 255, np.uint8)
    every = np.ones((2, N_ACTIONS), np.int8)
    logits, values = evaluate_rows(made.pack(), seen, every, needs_values=True)
    assert np.isfinite(logits).all()
    assert np.isfinite(values).all()

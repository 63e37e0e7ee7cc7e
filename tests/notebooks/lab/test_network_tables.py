"""The tables of what a network learned have a row for each answer, with an interval around it."""

import numpy as np
import pytest
from lab.concepts import concepts_of

import impulse_agents
from impulse_env.options import Options
from lab.linear_probes import LAYERS, untrained_like
from lab.network_tables import (
    BEYOND,
    COUNTING,
    RAW,
    UNTRAINED,
    blinded,
    probed,
    second_thoughts,
    strengths,
    weighed,
)
from lab.sampling import sample_games


@pytest.fixture(scope="module")
def sampled(policy):
    return sample_games([policy], Options(players=2), np.zeros((30, 2), np.int64), 2)


def test_strengths_are_of_the_same_deals(policy):
    rules = {name: impulse_agents.make(name) for name in ("greedy", "warrior")}
    found = strengths({"one": policy, "two": policy}, rules, 6, 1)
    assert len(found) == 24
    assert found.groupby(["agent", "against", "deal"]).size().eq(2).all()
    one, two = (found[found.agent == name].won.tolist() for name in ("one", "two"))
    assert one == two


def test_probed_has_all_sources_and_concepts(policy, sampled):
    gains = np.tile([0, 4], (len(sampled), 1)) * (np.arange(len(sampled)) % 2)[:, None]
    networks = {UNTRAINED: untrained_like(policy), "trained": policy.network}
    found = probed(sampled, gains, networks)
    concepts = len(concepts_of(sampled, gains))
    assert len(found) == concepts * (2 + len(LAYERS)) + 2
    assert {*found.source} == {RAW, UNTRAINED, "trained", COUNTING, BEYOND}
    first = found[found.source == UNTRAINED]
    assert (first[["over", "over_low", "over_high"]] == 0).all(axis=None)
    assert (found[found.source == RAW].more == 0).all()
    assert (found[(found.source == "trained") & (found.layer == LAYERS[0])].since == 0).all()


def test_weighed_and_blinded_have_all_parts(policy, sampled):
    parts = ["points", "always the same"]
    found = weighed(policy, sampled, parts, 2, 1).set_index(["part", "measure"])
    assert found.loc[("always the same", "KL"), "mean"] == pytest.approx(0, abs=1e-6)
    row = found.loc[("points", "log loss")]
    assert row.low < row["mean"] < row.high
    games = blinded(policy, sampled, parts, 10, 1)
    assert games.groupby("part").won.agg(["size", "mean"]).loc["always the same"].tolist() == [
        10,
        0.5,
    ]


def test_second_thoughts_are_played_on_again_where_they_gained_most(policy, sampled):
    search = impulse_agents.make("policy+search:2p:40")
    found = second_thoughts(sampled, policy, search, 6, 2, 8, 1)
    again = found[found.again_mean.notna()]
    assert len(again) == 2
    assert again["mean"].min() >= found[found.again_mean.isna()]["mean"].max()
    assert (again.again_low <= again.again_high).all()
    assert (found.game == sampled.games[found.row]).all()

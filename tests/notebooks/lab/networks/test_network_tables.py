"""Tables of what networks learned have a row for each answer, with an interval around it."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

import impulse_agents
from impulse_agents.advice.advice import advise
from impulse_agents.advice.annotate import annotated
from impulse_agents.base import AgentError
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, SeatedAgent, record_of
from lab.networks.linear_probes import LAYERS, concepts_of, untrained_like
from lab.networks.network_plots import draw_advice, draw_values
from lab.networks.network_tables import (
    BEYOND,
    COUNTING,
    RAW,
    UNTRAINED,
    blinded,
    differing_choices,
    game_at,
    policy_table,
    probed,
    second_thoughts,
    strengths,
    weighed,
)
from networks import untrained


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
    assert (first.over == 0).all()
    assert first[["over_low", "over_high"]].isna().all(axis=None), "no draw differs: no interval"
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


@pytest.fixture(scope="module")
def record():
    game, player, rng = Game(2, 5), impulse_agents.make("random"), np.random.default_rng(5)
    actions = []
    for _ in range(40):
        actions.append(player.act_in_game(game, rng))
        game.step(actions[-1])
    names = (SeatedAgent("policy:2p"), SeatedAgent("random"))
    return record_of(Header(Options(2), names, seed=5), actions, why="long enough")


def test_they_are_those_of_the_records_annotation(record, policy):
    table = policy_table(record, {"shipped": policy})
    assert table.number.tolist() == list(range(40))
    for row, move in zip(table.itertuples(), annotated(record, "policy:2p").moves, strict=True):
        assert (row.seat, row.chosen) == (move.seat, move.action)
        best = max(move.note.probabilities.values())
        assert row.probability == pytest.approx(best, abs=1e-3)
        assert move.note.probabilities[row.choice] == pytest.approx(best, abs=1e-3)


def test_values_and_chances_are_of_the_same_positions(record, policy):
    table = policy_table(record, {"shipped": policy})
    states = np.stack([game.state.copy() for game in record.games()][:-1])
    wins = policy.win_probabilities(table.value.to_numpy(), states, table.seat.to_numpy())
    noted = [move.note.wins for move in annotated(record, "policy:2p").moves]
    assert wins == pytest.approx(np.array(noted), abs=1e-3)


def test_only_some_of_the_probability_is_on_legal_actions_before_the_mask(record, policy):
    table = policy_table(record, {"shipped": policy, "small": untrained()})
    small = table[table.agent == "small"]
    # Fresh weights make all actions about equally likely.
    assert np.abs(small.on_legal - small.legal / 180).max() < 0.05
    assert table.on_legal.between(0, 1).all()
    assert (table.entropy[table.legal == 1] == 0).all()


def test_a_network_for_another_number_of_players_is_refused(record):
    with pytest.raises(AgentError, match="3 players"):
        policy_table(record, {"other": untrained(players=3)})


def test_disagreements_are_where_the_choices_differ(record, policy):
    table = policy_table(record, {"shipped": policy, "small": untrained()})
    found = differing_choices(table)
    wide = table.pivot(index="number", columns="agent", values="choice")
    assert sorted(found.index) == list(wide.index[wide.shipped != wide.small])
    least = found.probability.astype(float).min(axis=1)
    assert least.is_monotonic_decreasing


def test_a_game_at_a_decision_is_the_records(record):
    game = game_at(record, 7)
    assert (game.seat, game.name(game.action(record.moves[7].action))) == (
        record.moves[7].seat,
        record.moves[7].action,
    )
    with pytest.raises(ValueError, match="40 decisions, none with number 99"):
        game_at(record, 99)


def test_pictures_say_what_was_thought(record, policy):
    game = game_at(record, 7)
    axes = Figure().subplots(3)
    advice = advise(policy, game, np.random.default_rng(0))
    draw_advice(axes[0], game, replace(advice, by="shipped"))
    words = [label.get_text() for label in axes[0].get_yticklabels()]
    assert words == [game.describe(one.action) for one in advice.suggestions]
    assert axes[0].get_title() == f"shipped, wins {100 * advice.wins:.0f} %"
    draw_advice(axes[0], game, replace(advice, by="theirs", wins=None))
    assert axes[0].get_title() == "theirs"
    draw_values(axes[1:], policy_table(record, {"shipped": policy}), record)
    named = [text.get_text() for text in axes[2].get_legend().get_texts()]
    assert named == ["seat 0: policy:2p", "seat 1: random"]

"""What networks think of a game is what they would do in it, and can be drawn."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

import impulse_agents
from impulse_agents.advice.advice import advise
from impulse_agents.advice.annotate import annotated
from impulse_agents.base import AgentError
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, SeatedAgent, record_of
from lab.policy_table import (
    disagreements,
    draw_advice,
    draw_values,
    game_at,
    policy_table,
)

NETWORK = {"width": 8, "policy": (), "value": (), "card_dim": 4, "kind": "flat"}


def untrained(players=2):
    return PolicyAgent(
        PolicyNetwork(players, **NETWORK), checkpoint_config(players, NETWORK), "policy:small"
    )


@pytest.fixture(scope="module")
def shipped():
    return impulse_agents.make("policy:2p")


@pytest.fixture(scope="module")
def record():
    game, player, rng = Game(2, 5), impulse_agents.make("random"), np.random.default_rng(5)
    actions = []
    for _ in range(40):
        actions.append(player.act_in_game(game, rng))
        game.step(actions[-1])
    names = (SeatedAgent("policy:2p"), SeatedAgent("random"))
    return record_of(Header(Options(2), names, seed=5), actions, why="long enough")


def test_they_are_those_of_the_records_annotation(record, shipped):
    table = policy_table(record, {"shipped": shipped})
    assert table.number.tolist() == list(range(40))
    for row, move in zip(table.itertuples(), annotated(record, "policy:2p").moves, strict=True):
        assert (row.seat, row.chosen) == (move.seat, move.action)
        best = max(move.note.probabilities.values())
        assert row.probability == pytest.approx(best, abs=1e-3)
        assert move.note.probabilities[row.choice] == pytest.approx(best, abs=1e-3)


def test_values_and_chances_are_of_the_same_positions(record, shipped):
    table = policy_table(record, {"shipped": shipped})
    states = np.stack([game.state.copy() for game in record.games()][:-1])
    wins = shipped.win_probabilities(table.value.to_numpy(), states, table.seat.to_numpy())
    noted = [move.note.wins for move in annotated(record, "policy:2p").moves]
    assert wins == pytest.approx(np.array(noted), abs=1e-3)


def test_only_some_of_the_probability_is_on_legal_actions_before_the_mask(record, shipped):
    table = policy_table(record, {"shipped": shipped, "small": untrained()})
    small = table[table.agent == "small"]
    # Fresh weights make all actions about equally likely.
    assert np.abs(small.on_legal - small.legal / 180).max() < 0.05
    assert table.on_legal.between(0, 1).all()
    assert (table.entropy[table.legal == 1] == 0).all()


def test_a_network_for_another_number_of_players_is_refused(record):
    with pytest.raises(AgentError, match="3 players"):
        policy_table(record, {"other": untrained(players=3)})


def test_disagreements_are_where_the_choices_differ(record, shipped):
    table = policy_table(record, {"shipped": shipped, "small": untrained()})
    found = disagreements(table)
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


def test_pictures_say_what_was_thought(record, shipped):
    game = game_at(record, 7)
    axes = Figure().subplots(3)
    advice = advise(shipped, game, np.random.default_rng(0))
    draw_advice(axes[0], game, replace(advice, by="shipped"))
    words = [label.get_text() for label in axes[0].get_yticklabels()]
    assert words == [game.describe(one.action) for one in advice.suggestions]
    assert axes[0].get_title() == f"shipped, wins {100 * advice.wins:.0f} %"
    draw_advice(axes[0], game, replace(advice, by="theirs", wins=None))
    assert axes[0].get_title() == "theirs"
    draw_values(axes[1:], policy_table(record, {"shipped": shipped}), record)
    named = [text.get_text() for text in axes[2].get_legend().get_texts()]
    assert named == ["seat 0: policy:2p", "seat 1: random"]

"""The pictures of games, observations and cards show what these hold."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from impulse_env import N_ACTIONS, Game, analysis, observation
from impulse_env.frame import to_own
from impulse_env.testing.random_play import random_choice
from lab import game_plots
from lab.experiments.factor_effects import Effects

CARDS = analysis.cards().card


def played(turns, players=2, seed=7):
    game, choose = Game(players, seed), random_choice(seed)
    while game.turn < turns or game.decision.kind != "use_tech":
        game.step(choose(game))
    return game


def words(axes):
    return [text.get_text() for text in axes.texts]


def test_a_board_hides_the_other_hand():
    game = played(3)
    assert game_plots.board(game, 0).data == game_plots.board(game.view(0), 0).data
    assert game_plots.board(game.state, 0).data != game_plots.board(game, 1).data
    with pytest.raises(ValueError, match="by must be a seat"):
        game_plots.board(game, 2)


def test_maps_stand_side_by_side_under_their_titles():
    text = game_plots.maps({"before & after": played(1), "later": played(4)}).data
    assert "before &amp; after" in text
    assert "later" in text
    assert text.count("<svg") == 3


@pytest.mark.parametrize("seat", range(3))
def test_an_observed_map_shows_all_ships_and_the_own_home_on_the_left(axes, seat):
    game = played(8, players=3)
    vector = observation.observe(game, seat)
    game_plots.observed_map(axes, vector, players=3)
    seen = observation.unflatten(vector, 3)
    ships = np.count_nonzero(seen["transports"]) + np.count_nonzero(seen["cruisers"])
    assert sum(text.get_bbox_patch() is not None for text in axes.texts) == ships
    assert words(axes).count("?") == np.sum(game.state["cell_face_up"] == 0)
    assert seen["home"][0] == 8
    with pytest.raises(ValueError, match="observation of 2 players"):
        game_plots.observed_map(axes, vector, players=2)


def test_the_impulse_has_a_column_for_each_moment(axes):
    states = [played(turns).state for turns in range(3)]
    game_plots.impulse_over_turns(axes, states)
    assert len(axes.texts) == sum(int(state["impulse_count"][0]) for state in states)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "2"]


def test_every_section_has_its_length():
    figure, columns = plt.subplots(1, 3)
    game_plots.section_lengths(columns, players=4)
    assert sum(int(word) for axes in columns for word in words(axes)) == observation.size(4)
    plt.close(figure)


def test_legal_and_chosen_actions_are_marked(axes):
    masks = np.eye(3, N_ACTIONS, dtype=np.int8)
    game_plots.legal_over_time(axes, masks, np.arange(3))
    assert np.array_equal(axes.images[0].get_array(), masks)
    assert axes.lines[0].get_xdata().tolist() == [0, 1, 2]


def test_decisions_say_what_is_chosen_and_what_is_under_way():
    game = played(0)
    action = game.legal_actions()[0]
    own = to_own(action, 2, game.seat)
    table = game_plots.decisions_of([game], [observation.observe(game, game.seat)], [own])
    assert table.decision.tolist() == ["use_tech"]
    assert table.depth.tolist() == [0]
    assert table.next.tolist() == ["-, -"]
    assert game.describe(action).startswith(table.chosen[0])


@pytest.fixture
def effects():
    rng = np.random.default_rng(0)
    values = np.linspace(-0.1, 0.1, len(CARDS))
    draws = values + 0.01 * rng.normal(size=(200, len(CARDS)))
    return Effects(pd.Index(CARDS), values, draws, np.full(len(CARDS), 50))


def test_cards_are_drawn_as_they_are_printed():
    drawn = game_plots.printed({"Best & first": [75, 98], "Worst": [15]}).data
    assert "Best &amp; first" in drawn
    for number in (15, 75, 98):
        assert f'href="#card-{number}"' in drawn
        assert f'id="card-{number}"' in drawn


def test_a_card_is_named_by_number_type_and_icons():
    assert game_plots.name_of_card(75) == "#75 Command •••"
    assert set(analysis.cards().type) == set(game_plots.LOOKS)


def test_all_cards_are_ranked_with_intervals(effects):
    shown = game_plots.ranking({"start": effects, "again": effects}).data
    assert shown.count("<tr>") == len(CARDS)
    assert shown.index(f"<td>#{CARDS.iloc[-1]}</td>") < shown.index("yes") < shown.index("-10.0 [")
    assert "+10.0 [" in shown


def test_every_card_has_its_mark(effects):
    figure = Figure()
    columns = figure.subplots(1, 2)
    game_plots.draw_worths(columns, effects)
    names = [label.get_text() for axes in columns for label in axes.get_yticklabels()]
    assert len(names) == len(CARDS)
    assert names[0] == game_plots.name_of_card(CARDS.iloc[-1])
    axes = Figure().subplots()
    game_plots.draw_against(axes, effects, effects)
    assert len(axes.get_legend_handles_labels()[1]) == len(game_plots.LOOKS)

"""The pictures of the notebooks show what the game and its observations hold."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from impulse_env import N_ACTIONS, Game, observation
from impulse_env.frame import to_own
from impulse_env.testing.random_play import random_choice
from lab import game_plots as board_plots


@pytest.fixture
def axes():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def played(turns, players=2, seed=7):
    game, choose = Game(players, seed), random_choice(seed)
    while game.turn < turns or game.decision.kind != "use_tech":
        game.step(choose(game))
    return game


def words(axes):
    return [text.get_text() for text in axes.texts]


def test_a_board_hides_the_other_hand():
    game = played(3)
    assert board_plots.board(game, 0).data == board_plots.board(game.view(0), 0).data
    assert board_plots.board(game.state, 0).data != board_plots.board(game, 1).data
    with pytest.raises(ValueError, match="by must be a seat"):
        board_plots.board(game, 2)


def test_maps_stand_side_by_side_under_their_titles():
    text = board_plots.maps({"before & after": played(1), "later": played(4)}).data
    assert "before &amp; after" in text
    assert "later" in text
    assert text.count("<svg") == 3


@pytest.mark.parametrize("seat", range(3))
def test_an_observed_map_shows_all_ships_and_the_own_home_on_the_left(axes, seat):
    game = played(8, players=3)
    vector = observation.observe(game, seat)
    board_plots.observed_map(axes, vector, players=3)
    seen = observation.unflatten(vector, 3)
    ships = np.count_nonzero(seen["transports"]) + np.count_nonzero(seen["cruisers"])
    assert sum(text.get_bbox_patch() is not None for text in axes.texts) == ships
    assert words(axes).count("?") == np.sum(game.state["cell_face_up"] == 0)
    assert seen["home"][0] == 8
    with pytest.raises(ValueError, match="observation of 2 players"):
        board_plots.observed_map(axes, vector, players=2)


def test_the_impulse_has_a_column_for_each_moment(axes):
    states = [played(turns).state for turns in range(3)]
    board_plots.impulse_over_turns(axes, states)
    assert len(axes.texts) == sum(int(state["impulse_count"][0]) for state in states)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "2"]


def test_every_section_has_its_length():
    figure, columns = plt.subplots(1, 3)
    board_plots.section_lengths(columns, players=4)
    assert sum(int(word) for axes in columns for word in words(axes)) == observation.size(4)
    plt.close(figure)


def test_legal_and_chosen_actions_are_marked(axes):
    masks = np.eye(3, N_ACTIONS, dtype=np.int8)
    board_plots.legal_over_time(axes, masks, np.arange(3))
    assert np.array_equal(axes.images[0].get_array(), masks)
    assert axes.lines[0].get_xdata().tolist() == [0, 1, 2]


def test_decisions_say_what_is_chosen_and_what_is_under_way():
    game = played(0)
    action = game.legal_actions()[0]
    own = to_own(action, 2, game.seat)
    table = board_plots.decisions_of([game], [observation.observe(game, game.seat)], [own])
    assert table.decision.tolist() == ["use_tech"]
    assert table.depth.tolist() == [0]
    assert table.next.tolist() == ["-, -"]
    assert game.describe(action).startswith(table.chosen[0])

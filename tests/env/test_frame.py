"""A seat's own frame and back, over every action, seat and number of players."""

import numpy as np
import pytest

from impulse_env.actions import N_ACTIONS, action_of, name_of
from impulse_env.engine.sector_map import HOMES
from impulse_env.frame import absolute_frame, own_frame, to_absolute, to_own


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_own_and_absolute_frame_are_inverse(players):
    for seat in range(players):
        assert sorted(own_frame(players)[seat]) == list(range(N_ACTIONS))
        for action in range(N_ACTIONS):
            assert to_absolute(to_own(action, players, seat), players, seat) == action
            assert to_own(to_absolute(action, players, seat), players, seat) == action
    assert (absolute_frame(players)[0][own_frame(players)[0]] == np.arange(N_ACTIONS)).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_own_home_is_at_the_left_corner_and_the_own_seat_is_seat_0(players):
    for seat in range(players):
        home = action_of(f"cell {HOMES[players, seat] + 1}")
        assert name_of(to_own(home, players, seat)) == "cell 8"
        assert name_of(to_own(action_of(f"seat {seat}"), players, seat)) == "seat 0"
        following = (seat + 1) % players
        assert name_of(to_own(action_of(f"seat {following}"), players, seat)) == "seat 1"
        assert name_of(to_own(action_of("cell 10"), players, seat)) == "cell 10"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_gate_turns_with_its_cells(players):
    for seat in range(players):
        for gate in range(action_of("gate 1-2"), action_of("gate 1-2") + 42):
            cells = [action_of(f"cell {n}") for n in name_of(gate)[5:].split("-")]
            turned = sorted(int(name_of(to_own(c, players, seat))[5:]) for c in cells)
            assert name_of(to_own(gate, players, seat)) == "gate {}-{}".format(*turned)


def test_what_has_no_place_or_seat_is_the_same_for_everybody():
    for name in ("pass", "use", "card 57", "ships 3", "color blue", "tech 1", "copy 2"):
        for seat in range(6):
            assert to_own(action_of(name), 6, seat) == action_of(name)

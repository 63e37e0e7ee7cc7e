"""What `impulse games complexity` says of the game is counted as it says."""

from collections import Counter
from itertools import pairwise, permutations
from math import log2

import numpy as np
import pytest

from commands import impulse, refusal
from impulse_env import Game, GameBatch, Options, observation
from impulse_training.bench import complexity
from impulse_training.bench.complexity import entropy, hidden_bits


@pytest.mark.parametrize("groups", [[], [3], [2, 2], [2, 4], [1, 1]])
def test_the_entropy_is_that_of_all_placements(groups):
    copies = [3, 2, 1]
    cards = [face for face, count in enumerate(copies) for _ in range(count)]
    seen = Counter()
    for order in permutations(cards):  # those of copies, too: all are equally likely
        bounds = np.cumsum([0, *groups])
        sets = [tuple(sorted(order[a:b])) for a, b in pairwise(bounds)]
        seen[(*sets, order[bounds[-1] :])] += 1
    shares = [count / seen.total() for count in seen.values()]
    assert entropy(copies, groups) == pytest.approx(-sum(p * log2(p) for p in shares))


def test_what_is_hidden_is_the_same_for_whatever_lies_there():
    game, rng = Game(players=3, seed=5), np.random.default_rng(1)
    for _ in range(60):
        game.step(game.legal_actions()[0])
    seat = game.seat
    bits = {
        hidden_bits(possible.state, seat, observation.observe(possible, seat))
        for possible in [game, *(game.determinize(seat, rng) for _ in range(5))]
    }
    ((without, with_deck),) = bits
    assert 0 < without < with_deck


def test_at_the_first_decision_all_but_the_own_hand_is_hidden():
    batch = GameBatch(Options(players=2), [3])
    seat = int(batch.seats[0])
    unseen = observation.section(batch.observations[0], "unseen", 2)
    state = batch.states[0]
    face_down = int((np.asarray(state["cell_face_up"]) == 0).sum())
    bits = hidden_bits(state, seat, batch.observations[0])
    other = int(state["hand_count"][1 - seat])
    copies = [int(count) for count in unseen if count]
    assert bits[1] == entropy(copies, [other])
    assert sum(copies) >= other + int(state["deck_count"])
    assert face_down > 0


def test_every_decision_of_every_game_is_counted():
    states, rows = complexity.watch("random", 2, 6, seed=4)
    assert set(rows["game"]) == set(range(6))
    assert rows["legal"].min() >= 1
    for game in range(6):
        turns = rows["turn"][rows["game"] == game]
        assert (np.diff(turns) >= 0).all()
        assert turns[-1] in (states["turn"][game], states["turn"][game] - 1)


def test_a_deck_that_grows_was_drawn_to_its_end():
    rows = np.zeros(6, complexity._DECISION)
    rows["game"] = [0, 0, 0, 0, 1, 1]
    rows["deck"] = [5, 3, 8, 8, 9, 2]
    drawn, shuffles = complexity._draws(rows, 3)
    assert drawn.tolist() == [5, 7, 0]
    assert shuffles.tolist() == [1, 0, 0]


def test_the_command_prints_a_column_for_each_number_of_players():
    first, again = (complexity.measure("random", (2, 4), games=3, seed=1) for _ in "12")
    assert first == again
    assert first.columns == ("Players", "2", "4")
    cells = {row[0]: row[1:] for row in first.rows}
    assert cells["Bytes of an observation"] == ("956", "1348")


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--games", "0"], "games"), (["--players", "7"], "7"), (["--agent", "nobody"], "nobody")],
)
def test_what_cannot_be_measured_is_refused(options, said, capsys):
    assert impulse("games", "complexity", *options) == 2
    assert said in refusal(capsys)

"""Disagreements are played on in the same worlds; the better choice shows."""

import numpy as np
import pandas as pd
import pytest

import impulse_agents
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.cards import TEXT_BY_CARD
from impulse_env.engine.constants import FACES
from impulse_env.engine.ops import KINDS
from impulse_env.errors import IllegalActionError
from impulse_env.frame import absolute_frame
from impulse_env.options import Options
from impulse_env.text.describe import topic_of
from lab.decision_kinds import LESSONS, theme_of
from lab.mistakes.search_disagreement import (
    PlayedOn,
    described,
    disagreements,
    one_line,
    play_both,
)

OPTIONS = Options(players=2)


def choices(sampled):
    """The first and the last legal action of each position, absolute."""
    frames = absolute_frame(2)[sampled.seats]
    rows = np.arange(len(sampled))
    first = sampled.masks.argmax(axis=1)
    last = sampled.masks.shape[1] - 1 - sampled.masks[:, ::-1].argmax(axis=1)
    return frames[rows, first], frames[rows, last]


def test_the_same_choice_in_the_same_worlds_ends_the_same(sampled, policy):
    some = sampled.take(np.arange(6))
    first, last = choices(some)
    same = play_both(some, first, first, policy, OPTIONS, 8, 1)
    assert (same.first == same.second).all()
    assert (same.gains()["mean"] == 0).all()
    apart = play_both(some, first, last, policy, OPTIONS, 8, 1)
    assert (apart.first == same.first).all()
    assert (apart.first != apart.second).any()


def test_gains_are_of_pairs():
    won = np.tile([True, False], 50)
    found = PlayedOn(np.zeros((1, 100), bool), won[None]).gains().iloc[0]
    assert found[["first", "second", "mean"]].tolist() == [0, 0.5, 0.5]
    assert 0.4 < found["low"] < 0.5 < found["high"] < 0.6
    alike = PlayedOn(won[None], won[None]).gains().iloc[0]
    assert (alike["low"], alike["high"]) == pytest.approx((-0.037, 0.037), abs=1e-3)


def test_disagreements_name_two_legal_choices(sampled, policy):
    search = impulse_agents.make("policy+search:2p:40")
    found = disagreements(sampled, policy, search, 1)
    assert 0 < len(found) < len(sampled)
    own = absolute_frame(2)[sampled.seats[found.row]]
    for who in ("policy", "search"):
        legal = sampled.masks[found.row] * (own == found[who].to_numpy()[:, None])
        assert legal.any(axis=1).all()
    assert (found.policy != found.search).all()
    assert (found.prior < 0.5 + 1e-6).all()
    pd.testing.assert_frame_equal(found, disagreements(sampled, policy, search, 1))
    words = described(sampled, found.iloc[0])
    assert "The policy: " in words
    assert "The search: " in words


def test_words_tell_what_is_printed_on_a_card(sampled, policy):
    first, last = choices(sampled)
    is_card = [
        CARD_0 <= min(pair) <= max(pair) < CARD_0 + FACES for pair in zip(first, last, strict=True)
    ]
    row = is_card.index(True)
    words = described(sampled, pd.Series({"row": row, "policy": first[row], "search": last[row]}))
    printed = [TEXT_BY_CARD[action - CARD_0] for action in (first[row], last[row])]
    assert all(text in words for text in printed)


def test_a_line_continues_to_the_end_of_the_turn(sampled, policy):
    first, _ = choices(sampled)
    lines = [one_line(sampled, row, first[row], policy, 1) for row in range(6)]
    assert lines == [one_line(sampled, row, first[row], policy, 1) for row in range(6)]
    assert all(line[-1].startswith("points ") for line in lines)
    assert all(word.startswith("seat ") for line in lines for word in line[:-2])
    assert max(map(len, lines)) <= 10


def test_every_kind_of_decision_has_a_group_a_theme_and_a_lesson():
    assert all(topic_of(kind) not in ("", kind) for kind in KINDS)
    assert {theme_of(kind) for kind in KINDS} == set(LESSONS)
    assert theme_of("choose_move") == "which fleet goes where"


def test_a_choice_that_is_not_legal_is_refused(sampled, policy):
    some = sampled.take(np.arange(3))
    first, _ = choices(some)
    illegal = absolute_frame(2)[some.seats, some.masks.argmin(axis=1)]
    with pytest.raises(IllegalActionError):
        play_both(some, first, illegal, policy, OPTIONS, 1, 0)

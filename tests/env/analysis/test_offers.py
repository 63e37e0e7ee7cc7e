"""What was offered to the Impulse is what was in hand, face by face."""

from collections import Counter

import pytest

from impulse_env import analysis
from replayed import TABLES, play


@pytest.fixture(scope="module")
def turns():
    return analysis.tables([play(index) for index in range(len(TABLES))]).turns


def test_every_face_in_hand_is_offered_once(turns):
    found = analysis.offers(turns)
    by_turn = dict(iter(found.groupby(["game", "turn"])))
    seen = 0
    for turn in turns.itertuples():
        if turn.added == 0:
            assert (turn.game, turn.turn) not in by_turn
            continue
        rows = by_turn[turn.game, turn.turn]
        assert dict(zip(rows.card, rows.in_hand, strict=True)) == Counter(turn.hand)
        assert set(rows.faces) == {len(set(turn.hand))}
        assert rows[rows.was_added].card.tolist() == [turn.added]
        assert set(rows.agent) == {turn.agent}
        seen += 1
    assert seen > 100


def test_no_turns_offer_nothing(turns):
    assert analysis.offers(turns[:0]).empty

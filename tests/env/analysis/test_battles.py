"""The table of battles: who risked what, and how it ended."""

from itertools import product

import numpy as np
import pytest

from impulse_env import analysis
from impulse_env.engine.cards import COPIES_BY_CARD, SIZE_BY_CARD
from replayed import TABLES, games_of, play

SEEDS = range(3)
SIDES = ("attacker", "defender")


@pytest.fixture(scope="module")
def plays():
    return [play(index, seed) for index in range(len(TABLES)) for seed in SEEDS]


@pytest.fixture(scope="module")
def battles(plays):
    return analysis.tables(plays).battles


def test_more_icons_win_and_the_defender_wins_ties(battles):
    known = battles.dropna(subset=["attacker_icons", "defender_icons"])
    assert len(known) > 20
    assert set(known.attacker_won) == {True, False}
    assert (known.attacker_won == (known.attacker_icons > known.defender_icons)).all()


def test_a_battle_is_as_the_game_had_it(plays, battles):
    """Hands before and after tell how many of the laid cards were bluffs."""
    rows = iter(battles.itertuples())
    bluffs = 0
    for number, played in enumerate(plays):
        before = None
        for game, action, _ in games_of(played):
            state = game.state
            if before is not None:
                row, seats, hands, turn = before
                before = None
                if game.turn == turn and not game.is_over:  # nobody has drawn since
                    for side, seat, hand in zip(
                        ("attacker", "defender"), seats, hands, strict=True
                    ):
                        laid = getattr(row, f"{side}_laid")
                        returned = int(state["hand_count"][seat]) - (hand - laid)
                        assert getattr(row, f"{side}_bluffs") == returned
                        bluffs += returned
            is_last = (
                action == 0
                and game.decision.kind == "reinforce"
                and game.decision.prompt.startswith("Attacker")
            )
            if is_last:
                row = next(rows)
                seats = [int(state["battle_seat"][side]) for side in (1, 0)]
                laid = [int(state["laid_count"][side]) for side in (1, 0)]
                hands = [
                    int(state["hand_count"][seat]) + count
                    for seat, count in zip(seats, laid, strict=True)
                ]
                assert (row.game, row.turn, row.attacker, row.defender) == (
                    number,
                    game.turn,
                    *seats,
                )
                assert [row.attacker_ships, row.defender_ships] == [
                    int(state["battle_ships"][side]) for side in (1, 0)
                ]
                assert [row.attacker_laid, row.defender_laid] == laid
                assert [row.attacker_hand, row.defender_hand] == hands
                before = (row, seats, hands, game.turn)
    assert next(rows, None) is None
    assert bluffs > 10


def test_a_winner_gets_a_point_and_one_for_each_losing_cruiser_at_least(battles):
    """Unless the game ends in between."""
    last = battles.drop_duplicates("game", keep="last").index
    earlier = battles.drop(last)
    assert len(earlier) > 20
    lost = np.where(earlier.attacker_won, earlier.defender_ships, earlier.attacker_ships)
    assert (earlier.points >= 1 + lost).all()
    by_defenders = earlier[~earlier.attacker_won]
    assert (by_defenders.points == 1 + by_defenders.attacker_ships).all()


def test_usable_icons_bound_what_the_laid_cards_gave(battles):
    for side in SIDES:
        counted = battles[f"{side}_laid"] - battles[f"{side}_bluffs"]
        assert (counted >= 0).all()
        assert (battles[f"{side}_usable"] >= counted).all()


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 1), (2, 1), (1, 3), (3, 2)])
def test_the_odds_are_those_of_counting_all_cards(attackers, defenders):
    share = {size: COPIES_BY_CARD[SIZE_BY_CARD == size].sum() / 108 for size in (1, 2, 3)}
    expected = 0.0
    for sizes in product(share, repeat=attackers + defenders):
        if sum(sizes[:attackers]) > sum(sizes[attackers:]):
            expected += np.prod([share[size] for size in sizes])
    assert analysis.chance_to_win(attackers, defenders) == pytest.approx(expected)


@pytest.mark.parametrize("cruisers", [0, 13])
def test_odds_are_refused_for_fleets_that_cannot_be(cruisers):
    with pytest.raises(ValueError, match=f"from 1 to 12, not {cruisers}"):
        analysis.chance_to_win(cruisers, 1)

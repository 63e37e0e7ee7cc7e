"""The tables say what a plain replay of the same games says, number by number."""

import zlib
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from impulse_env import analysis
from impulse_env.analysis.decision_log import replay
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import PointSource
from impulse_env.engine.sector_map import HOMES
from impulse_env.options import RACE_NAMES
from replayed import TABLES, games_of, name, play, record

GAMES = range(len(TABLES))
POINTS = [f"points_{source.name.lower()}" for source in PointSource if source.name != "GIVEN"]


def numbers(cards):
    return tuple(NUMBER_BY_CARD[card] for card in cards)


def hand_of(game, seat):
    state = game.state
    return numbers(state["hand"][seat, : state["hand_count"][seat]])


@pytest.fixture(scope="module")
def found():
    """The tables of a game at each table."""
    return analysis.tables(play(index) for index in GAMES)


@pytest.mark.parametrize("index", GAMES)
def test_every_byte_of_the_end_is_that_of_the_record(index):
    states = replay([play(index)]).ends.copy()
    states["auto_forced"] = TABLES[index].get("auto_forced", True)
    assert f"{zlib.crc32(states[0].tobytes()):08x}" == record(index).result.digest


@pytest.mark.parametrize("index", GAMES)
def test_a_decision_is_what_the_game_asked_and_what_was_answered(found, index):
    rows = found.decisions[found.decisions.game == index]
    asked = list(games_of(play(index)))
    assert len(rows) == len(asked) - 1
    for row, (game, action, number) in zip(rows.itertuples(), games_of(play(index)), strict=False):
        in_setup = game.decision.kind in ("draft_race", "place_home")
        assert (row.number, row.seat, row.kind) == (number, game.seat, game.decision.kind)
        assert (row.action, row.legal) == (name(action), len(game.legal_actions()))
        assert row.turn == (-1 if in_setup else game.turn)
        assert row.round == (0 if in_setup else game.turn // game.players + 1)
        assert row.agent == f"agent {game.seat % 2}"
        assert row.hand == hand_of(game, game.seat)
        sides = int(game.state["teams"])
        others = [s for seat, s in enumerate(game.scores) if (seat - game.seat) % sides]
        assert (row.score, row.lead) == (
            game.scores[game.seat],
            game.scores[game.seat] - max(others),
        )


@pytest.mark.parametrize("index", GAMES)
def test_the_card_of_a_decision_is_the_one_that_the_game_speaks_of(found, index):
    rows = found.decisions[found.decisions.game == index]
    offers = {"use_impulse", "use_plan_card", "activate", "keep_revealed", "use_executed"}
    tried = set()
    for row, (game, action, _) in zip(rows.itertuples(), games_of(play(index)), strict=False):
        if name(action).startswith("card "):
            assert row.card == int(name(action)[5:])
        elif row.kind in offers and "Sector Core" not in game.decision.prompt:
            assert f"card {row.card} (" in game.decision.prompt
            tried.add(row.kind)
        elif name(action).startswith("tech ") and row.kind == "use_tech":
            is_researched = "card" in game.describe(action).split(":")[0]
            assert (row.card > 0) == is_researched
        if row.effect > 0 and "card " in game.decision.prompt and row.kind == "choose_fleet":
            assert f"card {row.effect} (" in game.decision.prompt
    assert {"use_impulse", "keep_revealed"} <= tried


@pytest.mark.parametrize("index", GAMES)
def test_all_points_are_gained_in_some_decision_and_some_turn(found, index):
    scores = record(index).result.scores
    decisions = found.decisions[found.decisions.game == index]
    turns = found.turns[found.turns.game == index]
    seats = found.seats[found.seats.game == index]
    assert (decisions.gained + decisions.gained_by_others).sum() == sum(scores)
    assert (turns.gained + turns.gained_by_others).sum() == sum(scores)
    assert seats.score.tolist() == list(scores)
    assert seats[POINTS].sum(axis=1).tolist() == list(scores)
    assert (turns[POINTS].sum(axis=1) == turns.gained).all()
    # Patrolling scores in the own turn alone, and trading in one's own effects.
    for source in ("points_core_patrol", "points_trade"):
        in_turns = turns.groupby("seat")[source].sum().reindex(seats.seat, fill_value=0)
        assert in_turns.tolist() == seats[source].tolist()


@pytest.mark.parametrize("index", GAMES)
def test_a_turn_is_what_was_done_in_it(found, index):
    turns = found.turns[found.turns.game == index].set_index("turn")
    expected = {}
    for (game, action, number), _ in pairwise(
        (game.copy(), action, number) for game, action, number in games_of(play(index))
    ):
        kind, chosen = game.decision.kind, name(action)
        if kind in ("draft_race", "place_home"):
            continue
        seat = int(game.state["active"])
        turn = expected.setdefault(
            game.turn,
            {"seat": seat, "score": game.scores[seat], "hand": hand_of(game, seat), "added": 0}
            | {"tech": -1, "impulse_used": 0, "plan": "none", "planned": 0, "plan_used": 0}
            | {"decisions": 0},
        )
        turn["decisions"] += number >= 0 and game.seat == seat
        turn["impulse_used"] += (kind, chosen) == ("use_impulse", "use")
        turn["plan_used"] += (kind, chosen) == ("use_plan_card", "use")
        if kind == "add_impulse":
            turn["added"] = int(chosen[5:])
        elif kind == "use_tech" and chosen != "pass":
            turn["tech"] = int(chosen[5:])
        elif kind == "use_plan":
            turn["planned"] = int(game.state["plan_count"][seat])
            forced = "forced" if turn["planned"] >= 4 else "used"
            turn["plan"] = "delayed" if chosen == "pass" else forced
    assert turns.index.tolist() == list(expected)
    for number, turn in expected.items():
        assert {column: turns.loc[number, column] for column in turn} == turn


def test_random_games_show_every_fate_of_a_plan(found):
    assert set(found.turns.plan) == {"none", "delayed", "used", "forced"}


@pytest.mark.parametrize("index", GAMES)
def test_seats_and_games_are_as_they_ended(found, index):
    *_, (game, _, _) = games_of(play(index))
    state, result = game.state, record(index).result
    row = found.games.loc[index]
    assert (row.players, row.end, row.winners) == (game.players, result.end, result.winners)
    assert row.decisions == len(record(index).moves)
    assert row.turns == game.turn + (result.end != "truncation")
    assert row.agents == tuple(f"agent {seat % 2}" for seat in range(game.players))
    for seat in found.seats[found.seats.game == index].itertuples():
        assert seat.won == (seat.seat in game.winners)
        assert seat.race == RACE_NAMES[state["race"][seat.seat]]
        home = state["cell_card"][HOMES[game.players, seat.seat]]
        assert seat.home_card == NUMBER_BY_CARD[home]
        techs = [max(int(card), -1) for card in state["techs"][seat.seat]]
        assert (seat.tech_0, seat.tech_1) == tuple(
            0 if card < 0 else NUMBER_BY_CARD[card] for card in techs
        )
        assert seat.order == (seat.seat - row.start_seat) % game.players
        assert seat.gems == state["gems"][seat.seat].sum()
        turns = found.turns[found.turns.game == index]
        assert seat.turns == (turns.seat == seat.seat).sum()


def test_the_margin_is_between_sides(found):
    for row in found.games.itertuples():
        scores = record(row.game).result.scores
        if not row.winners:
            assert np.isnan(row.margin)
            continue
        others = [s for seat, s in enumerate(scores) if seat not in row.winners]
        assert row.margin == max(scores[seat] for seat in row.winners) - max(others)
    assert found.games.margin.isna().any()  # one of them is truncated


# --- Tables as such -----------------------------------------------------------------------------


def test_tables_have_the_columns_that_are_documented(found):
    nothing = analysis.tables([])
    for table, columns in analysis.COLUMNS.items():
        for made in (getattr(found, table), getattr(nothing, table)):
            assert {name: str(dtype) for name, dtype in made.dtypes.items()} == {
                column.name: column.dtype for column in columns
            }


def test_missing_values_stand_only_where_a_column_says_so(found):
    for table, columns in analysis.COLUMNS.items():
        for column in columns:
            if column.dtype in ("category", "str"):
                assert not getattr(found, table)[column.name].isna().any(), column.name


def test_games_in_small_parts_give_the_same_tables(found):
    parts = list(analysis.stream((play(index) for index in GAMES), games=2))
    assert [len(part.games) for part in parts] == [2, 2, 2]
    for table in analysis.COLUMNS:
        joined = pd.concat([getattr(part, table) for part in parts], ignore_index=True)
        pd.testing.assert_frame_equal(joined, getattr(found, table))


def test_a_stream_takes_no_more_games_than_it_needs():
    taken = []

    def plays():
        for index in GAMES:
            taken.append(index)
            yield play(index)

    next(analysis.stream(plays(), games=2))
    assert taken == [0, 1]
    with pytest.raises(ValueError, match="1 or more, not 0"):
        next(analysis.stream(plays(), games=0))


def test_the_cards_are_those_of_the_deck():
    cards = analysis.cards()
    assert cards.copies.sum() == 108
    assert (cards.copies * (cards["size"] == 3)).sum() == 20
    assert cards.loc[cards.card == 57, ["type", "color", "size"]].values.tolist() == [
        ["build", "blue", 2]
    ]

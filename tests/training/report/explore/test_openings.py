"""The tree counts what a game-by-game recount counts, whoever is asked for."""

import numpy as np
import pytest

from impulse_agents.base import AgentError
from impulse_agents.luck.values import RuleValues, values_of
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.options import RACE_NAMES
from impulse_env.records.record import Annotation, Header, Move, Record
from impulse_training.report.explore.explore_options import ExploreArgs
from impulse_training.report.explore.line_filter import ExploreError, LineFilter
from impulse_training.report.explore.lines import Openings
from impulse_training.report.explore.table import as_json, rows_of, top
from impulse_training.statistics.intervals import wilson
from openings import by_hand, explored, paths_in
from recorded import TABLES, played

PAIRS = [played(TABLES[8], seed)[0] for seed in range(12)]
MIXED = [*PAIRS, *(played(TABLES[table], seed)[0] for table in (1, 3, 5, 6) for seed in range(2))]


def counted(found):
    """What `by_hand` returns, of the tree."""
    paths = paths_in(found.tree)
    rows = rows_of(found)
    return (
        {path: row.played for path, row in zip(paths, rows, strict=True)},
        {path: row.won * row.played for path, row in zip(paths, rows, strict=True)},
    )


@pytest.mark.parametrize("depth", [1, 3, 9])
def test_each_node_has_the_lines_that_a_recount_finds(depth):
    counts, won = by_hand(MIXED, depth)
    found = explored(MIXED, depth)
    assert counted(found)[0] == counts
    assert counted(found)[1] == pytest.approx(won)
    assert len(found.lines) == sum(one.header.options.players for one in MIXED)


def test_rarer_choices_are_left_out_and_their_lines_end_before_them():
    counts, _ = by_hand(MIXED)
    found = explored(MIXED, least=3)
    assert counted(found)[0] == {path: n for path, n in counts.items() if n >= 3 or not path}
    for line in found.lines:
        lists = (line.nodes, line.steps, line.before, line.after)
        assert len({len(one) for one in lists}) == 1
        for node, parent in zip(line.nodes, [0, *line.nodes], strict=False):
            assert found.tree.parents[node] == parent


def test_the_most_played_come_first_and_parents_before_children():
    found = explored(MIXED, least=2)
    rows = rows_of(found)
    assert all(row.parent < row.node for row in rows)
    for node in range(len(found.tree)):
        played = [rows[child].played for child in found.tree.children(node)]
        assert played == sorted(played, reverse=True)


def test_shares_intervals_and_par_are_those_of_the_lines():
    found = explored(MIXED, least=2)
    rows = rows_of(found)
    for row in rows:
        wins = round(row.won * row.played, 6)
        assert (row.low, row.high) == pytest.approx(wilson(wins, row.played))
        assert row.share == row.played / rows[max(row.parent, 0)].played
    pars = [1 / one.header.options.team_count for one in MIXED]
    seats = [one.header.options.players for one in MIXED]
    assert rows[0].par == pytest.approx(np.average(pars, weights=seats))


def race_of(record, seat):
    *_, game = record.games()
    return RACE_NAMES[int(game.state["race"][seat])]


def home_of(record, seat):
    moves = zip(record.games(), record.moves, strict=False)
    (action,) = (
        game.action(move.action)
        for game, move in moves
        if move.seat == seat and game.decision.kind == "place_home"
    )
    return int(NUMBER_BY_CARD[action - CARD_0])


@pytest.mark.parametrize(
    ("asked", "wants"),
    [
        ({"agent": "random 1"}, lambda record, seat: seat == 1),
        ({"seat": 0}, lambda record, seat: seat == 0),
        ({"players": 3}, lambda record, seat: record.header.options.players == 3),
        ({"race": "Ariek"}, lambda record, seat: race_of(record, seat) == "ariek"),
        (
            {"home": home_of(MIXED[0], 0), "seat": 0},
            lambda record, seat: seat == 0 and home_of(record, 0) == home_of(MIXED[0], 0),
        ),
    ],
    ids=["agent", "seat", "players", "race", "home"],
)
def test_only_lines_that_match_the_filter_are_counted(asked, wants):
    found = explored(MIXED, wanted=LineFilter.of(ExploreArgs(**asked)))
    assert counted(found)[0] == by_hand(MIXED, wants=wants)[0]
    assert 0 < len(found.lines) < sum(one.header.options.players for one in MIXED)


def test_games_that_begin_in_the_middle_are_left_out():
    record = PAIRS[0]
    *_, game = Record(record.header, record.moves[:20]).games()
    late = Record(Header.of_game(game, record.header.agents), record.moves[20:], record.result)
    found = explored([record, late])
    assert (found.left_out, len(found.games), len(found.lines)) == (1, 1, 2)
    with pytest.raises(ExploreError, match="no game begins with a deal"):
        explored([late])


# --- Chances to win -------------------------------------------------------------------------------


def noted(record, wins):
    """The record with a chance to win beside each decision, as many as are given, in turn."""
    moves = [
        Move(move.seat, move.action, Annotation("x", {}, wins[row % len(wins)]))
        for row, move in enumerate(record.moves)
    ]
    return Record(record.header, moves, record.result)


def test_without_a_judge_chances_are_those_of_the_record():
    record = PAIRS[0]
    wins = [(row % 97) / 100 for row in range(len(record.moves))]
    found = explored([noted(record, wins)], depth=500)
    assert found.has_chances
    own = {seat: [row for row, m in enumerate(record.moves) if m.seat == seat] for seat in (0, 1)}
    for line in found.lines:
        decisions = [step - 1 for step in line.steps]
        assert line.before == [wins[row] for row in decisions]
        following = [[later for later in own[line.seat] if later > row] for row in decisions]
        expected = [wins[later[0]] if later else line.won for later in following]
        assert line.after == expected
    assert not explored(PAIRS[:1]).has_chances


@pytest.mark.parametrize("table", [1, 5])
def test_a_judge_looks_right_before_and_right_after_a_choice(table):
    record, _ = played(TABLES[table])
    rules, sides = values_of("rules"), record.header.options.team_count
    games = [game.copy() for game in record.games()]
    found = explored([record], depth=6, values=rules)
    for line in found.lines:
        for step, before, after in zip(line.steps, line.before, line.after, strict=True):
            for game, chance in ((games[step - 1], before), (games[step], after)):
                shares = rules.shares(game._states, sides)
                assert chance == pytest.approx(shares[0, line.seat % sides])


def test_after_the_last_choice_of_a_game_stands_who_won():
    record = PAIRS[0]
    found = explored([record], depth=500, values=values_of("rules"))
    last = [line.after[-1] for line in found.lines if line.steps[-1] == len(record.moves)]
    won = [line.won for line in found.lines if line.steps[-1] == len(record.moves)]
    assert last == won


def test_a_judge_that_does_not_know_such_games_says_so():
    class Choosy(RuleValues):
        def shares(self, states, sides):
            raise AgentError("it plays games of two")

    with pytest.raises(AgentError, match="games of two"):
        explored(MIXED, values=Choosy())


# --- What is shown --------------------------------------------------------------------------------


def test_choices_that_nobody_made_otherwise_are_one_row():
    found = explored(PAIRS, depth=10, least=1)
    counts = found.tree.visits(found.lines)
    for node in range(1, len(found.tree)):
        end = found.tree.end_of_chain(node, counts)
        chain = found.tree.chain(node, end)
        assert {counts[one] for one in chain} == {counts[node]}
        assert all(not found.tree.choices[one].begins for one in chain[1:])
        following = found.tree.children(end)
        assert (
            len(following) != 1
            or found.tree.choices[following[0]].begins
            or counts[following[0]] < counts[end]
        )


def test_the_top_of_the_tree_are_the_rows_played_most_often():
    found = explored(PAIRS, depth=4)
    counts = found.tree.visits(found.lines)
    listed = top(found, 6)
    assert len(listed) == 6
    shown = {chain[0] for _, chain in listed}
    everything = top(found, 10**6)
    rest = [counts[chain[0]] for _, chain in everything if chain[0] not in shown]
    assert min(counts[node] for node in shown) >= max(rest)
    assert sorted({node for _, chain in everything for node in chain}) == list(
        range(1, len(found.tree))
    )


def test_json_has_every_node():
    found = explored(MIXED, least=2)
    told = as_json(found)
    assert (told["games"], told["lines"]) == (len(MIXED), len(found.lines))
    assert [row["node"] for row in told["nodes"]] == list(range(len(found.tree)))


def test_games_come_in_parts_and_make_the_same_tree(monkeypatch):
    whole = explored(MIXED)
    monkeypatch.setattr("impulse_training.report.explore.lines._AT_ONCE", 3)
    assert counted(explored(MIXED)) == counted(whole)


def test_a_new_tree_has_a_root_alone():
    found = Openings(LineFilter(), 3)
    assert (len(found.tree), found.tree.parents, found.tree.choices) == (1, [-1], [None])

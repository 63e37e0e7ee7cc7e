"""Levels name an opponent for every table, each stronger than the one before."""

from itertools import pairwise
from typing import get_args, get_type_hints

import pytest

import impulse_agents
from impulse_agents import standings
from impulse_agents.base import AgentError
from impulse_table import levels
from impulse_table.levels import NAMES, agent_of, levels_at
from impulse_table.terminal import TerminalArgs

TABLES = ((2, None), (3, None), (4, None), (4, 2), (5, None), (6, None), (6, 2), (6, 3))
TIED = {((3, None), "strongest")}
"""Levels that 900 games could not tell from the one before; every other level rates higher."""


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_an_agent_of_each_level(table):
    found = levels_at(*table)
    assert tuple(level.name for level in found) == NAMES
    for level in found:
        agent = impulse_agents.make(level.agent)
        agent.check_players(table[0])
    assert len({level.agent for level in found}) == len(NAMES)


@pytest.mark.parametrize("table", TABLES[:6])
def test_each_level_is_measured_and_stronger_than_the_one_before(table):
    measured = levels_at(*table)
    assert None not in [level.rating for level in measured]
    rows = {row.agent: row for row in standings.read() if row.table == table}
    for weaker, stronger in pairwise(measured):
        if (table, stronger.name) in TIED:
            assert rows[stronger.agent].low < weaker.rating < rows[stronger.agent].high
        else:
            assert weaker.rating < stronger.rating, (weaker, stronger)


@pytest.mark.parametrize("table", TABLES[:6])
def test_a_rating_is_rounded_as_in_the_tables_of_the_pages(table):
    known = {row.agent: f"{row.rating:.0f}" for row in standings.read() if row.table == table}
    assert [str(level.rating) for level in levels_at(*table)] == [
        known[level.agent] for level in levels_at(*table)
    ]


def test_a_trained_agent_plays_where_there_is_one(monkeypatch):
    assert agent_of("hard", 2) == "policy:2p"
    assert agent_of("strongest", 2) == "policy+search:2p:300"
    monkeypatch.setattr(levels, "shipped", list)
    assert agent_of("hard", 2) == "ismcts:100"
    assert agent_of("strongest", 6, 3) == "ismcts:1000"


def test_without_torch_searches_take_the_place_of_networks(monkeypatch):
    monkeypatch.setattr(levels, "find_spec", lambda name: None)
    agents = [level.agent for level in levels_at(2)]
    assert agents[3:] == ["ismcts:100", "ismcts:300", "ismcts:1000"]


def test_an_unknown_level_lists_the_known_ones():
    with pytest.raises(AgentError, match="unknown level 'hrad'; did you mean hard"):
        agent_of("hrad", 2)


def test_without_ratings_levels_stay(monkeypatch, tmp_path):
    monkeypatch.setattr(standings, "FILE", tmp_path / "none.json")
    monkeypatch.setattr(standings.read, "__defaults__", (tmp_path / "none.json",))
    assert {level.rating for level in levels_at(3)} == {None}


def test_the_option_of_the_terminal_has_all_levels():
    named = get_args(get_type_hints(TerminalArgs)["level"])
    assert get_args(named[0]) == NAMES

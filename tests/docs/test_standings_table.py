"""The tables of standings on the pages are what is kept of them, and leave nobody out."""

import pytest

from impulse_agents.standings import read
from impulse_training.evaluation.standings.protocol import PANEL, TABLES, project_agents
from impulse_training.evaluation.standings.table import standings_table
from impulse_training.report.printing import markdown
from pages import text_of
from paths import ROOT


@pytest.mark.parametrize("table", TABLES)
def test_everybody_is_placed_at_every_table(table):
    placed = [row.agent for row in read() if row.table == table]
    assert sorted(placed) == sorted((*PANEL, *project_agents(table)))


def test_the_page_of_the_agents_shows_the_stored_standings():
    assert markdown(standings_table(read())) in text_of(ROOT / "agents/README.md")

"""What `impulse agents` lists is what the pages say, whose commands stand beside the figures."""

import json
import re

import pytest

from impulse_agents import checkpoints, registry, standings
from paths import ROOT

SHIPPED = checkpoints.shipped()
LISTED = {card.agent: card for card in standings.cards()}


def rows(page):
    """The rows of a page's tables, without formatting."""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            yield [cell.strip().strip("`").replace(",", "") for cell in line.strip("|").split("|")]


def test_every_agent_that_has_a_name_is_listed_once():
    names = [card.agent for card in standings.cards()]
    assert len(set(names)) == len(names)
    plain = {name for name, kind in registry.KINDS.items() if not kind.argument}
    assert plain | {f"policy:{name}" for name in SHIPPED} <= set(names)
    assert all(card.description for card in LISTED.values())


@pytest.mark.checkout
def test_the_strength_of_agents_without_training_is_that_of_the_page():
    found, heads = {}, None
    for row in rows(ROOT / "agents/README.md"):
        if "ismcts:1000" in row[1:]:
            heads = row[1:]
        elif heads and len(row) == len(heads) + 1 and row[0] in (*heads, "random"):
            cells = zip(heads, row[1:], strict=True)
            found[row[0]] = {name: float(cell) for name, cell in cells if cell}
    assert len(found) == 7
    for name, won in found.items():
        assert LISTED[name].won == won


@pytest.mark.checkout
def test_the_speed_of_agents_without_training_is_that_of_the_page():
    page = list(rows(ROOT / "agents/README.md"))
    start = next(k for k, row in enumerate(page) if row[:2] == ["Agent", "decisions/s"])
    for row in page[start + 2 : start + 8]:
        assert LISTED[row[0]].decisions_per_second == float(row[1])
    start = next(k for k, row in enumerate(page) if row[0] == "Seconds for a mid-game decision")
    searches = page[start + 2 : start + 6]
    assert [name for name, *_ in searches] == [f"ismcts:{n}" for n in (100, 300, 1000, 3000)]
    for name, mean, *_ in searches:
        assert LISTED[name].decisions_per_second == pytest.approx(1 / float(mean), rel=0.01)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_trained_agents_figures_are_those_of_its_card(name):
    text = (checkpoints.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| policy v (?:\d (?:x )?)?(\S+) \| ([\d.]+) ", text, re.MULTILINE)
    won = {"mixed" if other == "different" else other: float(share) for other, share in told}
    assert LISTED[f"policy:{name}"].won == won
    short = json.loads((checkpoints.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert short["card"]["players"] == int(name[0])
    assert short["commands"][0].startswith(f"impulse evaluate {name} ")
    assert short["commands"][1] == f"impulse agents model-card {name}"

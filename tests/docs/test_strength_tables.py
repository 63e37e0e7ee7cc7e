"""What the pages say of the trained agents is what their cards say."""

import json

import pytest

from impulse_agents import checkpoints
from pages import ROOT, text_of

CARDS = {
    name: json.loads((checkpoints.FOLDER / f"{name}.json").read_text(encoding="utf-8"))["card"]
    for name in checkpoints.shipped()
}


def shares(page):
    """The games won, in per cent, that the first table of trained agents tells, by agent."""
    lines = [line.strip("| ").split(" | ") for line in text_of(ROOT / page).splitlines()]
    start = next(n for n, cells in enumerate(lines) if "`policy:6p`" in cells)
    names = [head.strip("`").removeprefix("policy:") for head in lines[start][1:]]
    found = {name: {} for name in names}
    for cells in lines[start + 3 :]:
        if len(cells) != len(names) + 1:
            return found
        opponent = cells[0].strip("`") if cells[0].startswith("`") else "mixed"
        for name, cell in zip(names, cells[1:], strict=True):
            if cell != "-":
                found[name][opponent] = float(cell.strip("*").split(" ")[0])
    return found


def test_the_page_of_results_tells_all_that_the_cards_tell():
    found = shares("docs/results.md")
    assert found == {name: card["won"] for name, card in CARDS.items()}


@pytest.mark.parametrize("name", checkpoints.shipped())
def test_the_first_page_tells_some_of_it(name):
    told = shares("README.md")[name]
    assert {"random", "greedy", "core_rush", "warrior"} <= set(told)
    assert told.items() <= CARDS[name]["won"].items()

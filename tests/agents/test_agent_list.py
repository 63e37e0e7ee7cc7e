"""`impulse agents` lists every agent once, with the figures of its card."""

import json
import re

import pytest

from impulse_agents import checkpoints, registry, standings

SHIPPED = checkpoints.shipped()
LISTED = {card.agent: card for card in standings.cards()}


def test_every_agent_that_has_a_name_is_listed_once():
    names = [card.agent for card in standings.cards()]
    assert len(set(names)) == len(names)
    plain = {name for name, kind in registry.KINDS.items() if not kind.argument}
    assert plain | {f"policy:{name}" for name in SHIPPED} <= set(names)
    assert all(card.description for card in LISTED.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_trained_agents_figures_are_those_of_its_card(name):
    text = (checkpoints.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| policy v (?:\d (?:x )?)?(\S+) \| ([\d.]+) ", text, re.MULTILINE)
    won = {"mixed" if other == "different" else other: float(share) for other, share in told}
    assert LISTED[f"policy:{name}"].won == won
    short = json.loads((checkpoints.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert short["card"]["players"] == int(name.removeprefix(checkpoints.BASELINE)[0])
    assert short["commands"][0].startswith(f"impulse evaluate {name} ")
    assert short["commands"][1] == f"impulse agents model-card {name}"

"""Golden games: they catch change, not error. Rewrite with `impulse tools golden`."""

from pathlib import Path

import pytest

from impulse_env.engine.constants import FIRST_AUTOMATIC, Op
from impulse_env.testing.playthroughs import GOLDEN, golden_text

FOLDER = Path(__file__).parent / "playthroughs"


@pytest.mark.parametrize("name", GOLDEN)
def test_the_game_plays_as_written(name):
    assert golden_text(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_kind_of_decision_but_the_rarest_occurs():
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    rare = {"choose_copy", "discard_for_deck", "sabotage_owner", "research_planned"}
    for op in Op:
        if 0 < op < FIRST_AUTOMATIC and op.name.lower() not in rare:
            assert f"[{op.name.lower()}]" in text, op.name

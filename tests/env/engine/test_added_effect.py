"""A card with a new effect, added as docs/add_a_card.md says, is played, told, seen and checked."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from paths import ROOT

pytestmark = pytest.mark.checkout

PAGE = (ROOT / "docs/add_a_card.md").read_text(encoding="utf-8")
CARD = (
    "110,discard,red,1,discard_from_hand,2,,,hand,,,,,,,,count,Discard [2] cards from your hand.\n"
)
SAID = {
    "op": "discard_card",
    "begins": "discard_card",
    "left": "counted",
    "done": "counted",
    "group": "which card to spend",
    "theme": "which card of the hand",
    "prompt": "Discard a {fitting} from your hand with {source} ({left} left).",
}
EFFECT = '''"""Discard cards from hand, one at a time.

Frame of DISCARD_CARD: LEFT cards that may still be chosen, DONE cards chosen.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, PASS
from impulse_env.engine.constants import ANY_COLOR, Action, State
from impulse_env.engine.deck import discard_from_hand, hand_options
from impulse_env.engine.stack import pop
from impulse_env.engine.state import DONE, LEFT


@jit_internal
def discard_card_options(state: State, options: NDArray[np.int16]) -> int:
    """List the hand; pass once a card was chosen."""
    options[0] = PASS
    count = 1 if state["stack"][int(state["stack_count"]) - 1, DONE] > 0 else 0
    return hand_options(state, int(state["active"]), ANY_COLOR, 1, 3, options, count)


@jit_internal
def apply_discard_card(state: State, action: Action) -> None:
    """Discard the chosen card."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    if action == PASS:
        pop(state)
        return
    discard_from_hand(state, int(state["active"]), action - CARD_0)
    frame[DONE] += 1
    frame[LEFT] -= 1
    if frame[LEFT] == 0:
        pop(state)
'''
PLAY = """
from impulse_env import observation
from impulse_env.engine.action_space import CARD_0, PASS, USE
from impulse_env.engine.cards import CARD_BY_NUMBER
from impulse_env.engine.offer import card_on_offer
from impulse_env.game import Game

added = CARD_BY_NUMBER[110]
for seed in range(500):
    game = Game(2, seed=seed)
    while game.decision.kind != "add_impulse":
        game.step(game.legal_actions()[0])
    if added in game.state["hand"][game.seat]:
        break
game.step(CARD_0 + added)
while game.decision.kind != "discard_card":
    is_offered = game.decision.kind == "use_impulse" and card_on_offer(game.state) == added
    game.step(USE if is_offered else PASS)
print(game.decision.prompt)
print(game.describe(game.legal_actions()[0]))
print(observation.explain(observation.observe(game, game.seat), 2))
assert Game.from_bytes(game.to_bytes()) == game
game.step(game.legal_actions()[0])
assert game.decision.kind == "discard_card" and PASS in game.legal_actions()
game.step(PASS)
assert game.decision.kind != "discard_card"
"""


def with_line(text, before, line):
    """The text with a line put before that one, which is there once."""
    assert text.count(before) == 1, before
    return text.replace(before, line + before)


def with_card(text):
    return text + CARD


def with_names(text):
    """One more card, face, family and decision; what goes on by itself is counted on."""
    head, automatic = text.split("    # Automatic phases and steps.\n")
    automatic = re.sub(
        r"(?m)^    ([A-Z_]+) = (\d+)$",
        lambda found: f"    {found[1]} = {int(found[2]) + 1}" if int(found[2]) >= 34 else found[0],
        automatic,
    )
    text = f"{head}    DISCARD_CARD = 34\n    # Automatic phases and steps.\n{automatic}"
    text = text.replace("FIRST_AUTOMATIC: Final = 34", "FIRST_AUTOMATIC: Final = 35")
    text = text.replace("CARDS: Final = 108", "CARDS: Final = 109")
    text = text.replace("FACES: Final = 80", "FACES: Final = 81")
    return with_line(text, "\n\nclass Op(IntEnum)", "    DISCARD_FROM_HAND = 25\n")


def with_first_frame(text):
    return text.replace(
        "        Op.REFINE_CARD,  # refine_flat\n",
        "        Op.REFINE_CARD,  # refine_flat\n        Op.DISCARD_CARD,  # discard_from_hand\n",
    )


def with_dispatch(text):
    text = with_line(text, "    execute,\n", "    discard,\n")
    text = with_line(
        text,
        "    return deal.draft_race_options(state, options)\n",
        "    if op == Op.DISCARD_CARD:\n"
        "        return discard.discard_card_options(state, options)\n",
    )
    return with_line(
        text,
        "    elif op == Op.PLACE_HOME:\n",
        "    elif op == Op.DISCARD_CARD:\n        discard.apply_discard_card(state, action)\n",
    )


def with_words(text):
    columns = text.partition("\n")[0].split(",")
    return text + ",".join(SAID.get(column, "") for column in columns) + "\n"


EDITS = {
    "impulse_env/engine/cards.csv": with_card,
    "impulse_env/engine/constants.py": with_names,
    "impulse_env/engine/effects/start.py": with_first_frame,
    "impulse_env/engine/decisions.py": with_dispatch,
    "impulse_env/engine/ops.csv": with_words,
    "impulse_env/engine/effects/discard.py": lambda _: EFFECT,
}
"""What the page asks for, by file."""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """What a game of the copied package says, from its first decision of the new effect on."""
    folder = tmp_path_factory.mktemp("added")
    shutil.copytree(ROOT / "impulse_env", folder / "impulse_env")
    for name, edit in EDITS.items():
        path = folder / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(edit(text), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_names_every_place():
    new = "impulse_env/engine/effects/discard.py"
    assert all(f"`{name}`" in PAGE for name in EDITS if name != new)
    assert "\n8. " in PAGE
    assert "\n9. " not in PAGE


def test_the_new_effect_is_described_and_observed(played):
    assert played.startswith(
        "Discard a card from your hand with card 110 (Discard, red 1) (2 left).\ndiscard card "
    )
    assert re.search(r"frame_op \[top frame\]: discard_card", played)

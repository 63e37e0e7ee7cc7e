"""What is said once of every decision and step, and where else a new one has to be known."""

import ast
import inspect
import json
from enum import IntEnum
from string import Formatter

import pytest

from fuzzed import FRAMES
from impulse_env.engine import decisions, ops
from impulse_env.engine.constants import FIRST_AUTOMATIC, Op
from impulse_env.engine.validity.frames import is_other_sound
from impulse_env.text.describe import FACTS
from paths import ROOT

pytestmark = pytest.mark.checkout

PAGE = (ROOT / "docs/add_a_card.md").read_text(encoding="utf-8")
LESSONS = "agents/impulse_table/web/static/lessons.json"
OF_AN_OPTION = {"offer", "card", "size", "place", "ship", "ships"}
LAST = {"list_options": Op.DRAFT_RACE, "apply": Op.DRAFT_RACE, "run": Op.START_GAME}
"""By function of the dispatcher, what is left when all others have been asked for."""


class Invented(IntEnum):
    """A decision that nobody has heard of."""

    STEAL_MINERAL = len(Op)


def asks_for(function, op):
    """Whether a condition of a function that looks at the op alone holds."""
    tree = ast.parse(inspect.getsource(getattr(function, "py_func", function)))
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            names = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
            test = compile(ast.Expression(node.test), "", "eval")
            if names <= {"Op", "op"} and eval(test, {"Op": Op, "op": op}):
                return True
    return False


def is_dispatched(op, *functions):
    return all(LAST[name] == op or asks_for(getattr(decisions, name), op) for name in functions)


def is_phase(op):
    return op < Op.CHOOSE_FLEET


def is_checked(op):
    """Whether frames of no effect are looked at, and those of effects as `ops.csv` says."""
    of_effect = op in Op and ops.FIRST_OP[op] != Op.OVER
    return is_phase(op) or of_effect or op == Op.REINFORCE or asks_for(is_other_sound, op)


PLACES = {
    "impulse_env/engine/ops.csv": lambda op: bool(ops.words("prompt").get(op)),
    "impulse_env/engine/decisions.py": lambda op: is_dispatched(op, "list_options", "apply"),
    "impulse_env/engine/validity/frames.py": is_checked,
    LESSONS: lambda op: op.name.lower() in json.loads((ROOT / LESSONS).read_bytes())["kinds"],
    "tests/support/fuzzed.py": lambda op: is_phase(op) or op in FRAMES,
}
"""Where every decision has to be known, and how to see whether it is."""


def test_lessons_and_refusals_name_the_same_pages():
    kinds = json.loads((ROOT / LESSONS).read_bytes())["kinds"]
    pages = {op.name.lower(): page for op, page in ops.words("page").items() if page}
    shown = {kind: lesson["page"].replace("\N{EN DASH}", "-") for kind, lesson in kinds.items()}
    assert shown == pages


def lacking(op):
    """The places at which a decision is still missing."""
    return [place for place, is_known in PLACES.items() if not is_known(op)]


@pytest.mark.parametrize("op", ops.DECISIONS, ids=lambda op: op.name.lower())
def test_every_decision_is_known_wherever_it_has_to_be(op):
    assert lacking(op) == []


def test_of_a_new_decision_every_place_is_named():
    assert lacking(Invented.STEAL_MINERAL) == list(PLACES)
    assert all(f"`{place}`" in PAGE for place in PLACES)


@pytest.mark.parametrize("op", list(Op)[FIRST_AUTOMATIC:], ids=lambda op: op.name.lower())
def test_every_step_is_carried_out(op):
    assert is_dispatched(op, "run")


@pytest.mark.parametrize("op", ops.DECISIONS, ids=lambda op: op.name.lower())
def test_the_words_of_a_decision_are_complete_and_name_what_is_known(op):
    assert all(ops.words(column)[op] for column in ("group", "theme", "prompt"))
    for column in ("prompt", "decline", "use", "card", "place"):
        for _, name, _, _ in Formatter().parse(ops.words(column)[op]):
            assert name in (None, *FACTS) or (name in OF_AN_OPTION and column != "prompt")


def test_modes_and_numbers_are_documented_with_their_fields():
    for op in Op:
        if op != Op.OVER:
            roles = set(ops.ROLES[op])
            assert (ops.Role.MODE in roles) == (op in ops.MODES)
            assert (ops.Role.NUMBER in roles) == bool(ops.words("number")[op])

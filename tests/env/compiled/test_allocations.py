"""No compiled function of the rules allocates: a GPU's functions cannot.

Not tested are the entry points that only processors run, such as `batch._run` and those of the
agents by rules, and `engine/validity`: it checks records that come from outside, never a running
game.
"""

import ast

import pytest

from impulse_env.engine.action_space import SIZE
from impulse_env.information import SCRATCH
from paths import ROOT

SCALARS = {"float32", "int64", "uint8", "uint64", "exp"}
"""The functions of numpy that return a number for a number."""
METHODS = {"astype", "copy", "flatten", "ravel", "repeat", "reshape", "tolist"}
CONTAINERS = {"bytearray", "dict", "list", "set", "sorted"}
DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
BOTH = {"jit", "jit_internal"}
ENV, AGENTS = ROOT / "impulse_env", ROOT / "agents/impulse_agents"
RULES = [
    *(ENV / "engine").glob("*.py"),
    *(ENV / "engine/effects").glob("*.py"),
    *(ENV / "observation").glob("*.py"),
    ENV / "information.py",
    ENV / "environments/outcome_arrays.py",
]
PLAYERS = [*(AGENTS / "heuristics").glob("*.py"), AGENTS / "selection.py", AGENTS / "rng.py"]


def compiled(source, decorators):
    """Yield the functions that have one of these decorators."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            if decorators & {ast.unparse(decorator) for decorator in node.decorator_list}:
                yield node


def allocates(node):
    """Return whether the node of a function's body makes an array or another container."""
    if isinstance(node, DISPLAYS):
        return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in CONTAINERS
    owner, name = ast.unparse(node.func).rsplit(".", 1)
    return name not in SCALARS if owner in {"np", "numpy"} else name in METHODS


def allocations(source, decorators=frozenset(BOTH)):
    """Return what compiled functions allocate, as ``function: expression``."""
    return [
        f"{function.name}: {ast.unparse(node)}"
        for function in compiled(source, decorators)
        for statement in function.body
        for node in ast.walk(statement)
        if allocates(node)
    ]


@pytest.mark.parametrize("path", sorted(RULES), ids=lambda path: path.stem)
def test_the_rules_allocate_nothing(path):
    assert allocations(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", sorted(PLAYERS), ids=lambda path: path.stem)
def test_the_rules_of_thumb_allocate_only_at_their_entry(path):
    assert allocations(path.read_text(encoding="utf-8"), {"jit_internal"}) == []


def test_the_compiled_functions_are_found():
    functions = {
        function.name
        for path in [*RULES, *PLAYERS]
        for function in compiled(path.read_text(encoding="utf-8"), BOTH)
    }
    expected = {"run_start_game", "can_stop_later", "encode", "determinize", "redraw", "end_games"}
    assert expected | {"act_by_rules", "xorshift", "list_legal"} <= functions
    assert len(functions) > 200


@pytest.mark.parametrize("decorator", sorted(BOTH))
@pytest.mark.parametrize(
    "expression",
    [
        *("np.empty(3, np.int8)", "np.zeros(3)", "np.ones(3)", "np.full(3, 1)", "np.array(x)"),
        *("np.copy(x)", "x.copy()", "x[1:].copy()", "x.astype(np.int8)", "list(x)", "set(x)"),
        *("[1, 2]", "{1, 2}", "{1: 2}", "[i for i in x]", "{i for i in x}", "{i: 1 for i in x}"),
    ],
)
def test_an_allocation_is_reported(decorator, expression):
    source = f"@{decorator}\ndef f(x):\n    if x[0]:\n        y = {expression}\n    return 0\n"
    assert allocations(source) == [f"f: {expression}"]


def test_what_allocates_nothing_is_not_reported():
    body = "y = np.int64(x[0])\n    y += deck.draw(x[1:])\n    return y"
    assert allocations(f"@jit_internal\ndef f(x):\n    {body}\n") == []
    assert allocations("def f(x):\n    return np.zeros(3)\n") == []


def test_a_list_of_options_has_room_to_determinize():
    """Searches pass theirs."""
    assert SCRATCH <= SIZE

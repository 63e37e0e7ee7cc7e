"""Agents of other authors play wherever the project's own do, and what is wrong is one sentence."""

import csv
import json
import sys

import gymnasium
import numpy as np
import pytest

import impulse_agents
from commands import impulse, refusal, run_impulse
from impulse_agents import plugins, registry
from impulse_agents.advice import annotate
from impulse_agents.advice.advice import advise
from impulse_agents.base import Agent, AgentError
from impulse_env.errors import ImpulseError
from impulse_env.extras import MissingExtraError
from impulse_env.game import Game
from impulse_env.records.reader import read

SOURCE = '''
"""Agents of another author."""

from pathlib import Path

from impulse_agents import Agent
from impulse_agents.base import AgentError
from impulse_agents.base import Advice, Suggestion

Path(__file__).with_suffix(".ran").touch()


class Last(Agent):
    """Plays the last legal action."""

    def __init__(self, argument="nothing"):
        self.name = "called otherwise"
        self.argument = argument

    def act(self, seen, streams):
        return seen.masks.shape[1] - 1 - seen.masks[:, ::-1].argmax(axis=1)


class Sure(Last):
    """Says how probable it finds its action."""

    def advise(self, seen, streams, count=3):
        action = seen.action_name(0, self.act(seen, streams)[0])
        return Advice(self.name, (Suggestion(action, share=1.0),))


def make(argument="by a function"):
    return Last(argument)


ready = Last("ready")
number = 3


class Stranger:
    """Is no agent."""


class Half(Agent):
    """Cannot act."""


def lucky():
    raise RuntimeError("no\\n  luck today")


def picky():
    raise AgentError("only on Sundays")


def plain(needed):
    return Last(needed)
'''


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with the author's file, on the path; nothing of it is known afterwards."""
    (tmp_path / "their_agents.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(registry, "_REGISTERED", {})
    monkeypatch.delitem(sys.modules, "their_agents", raising=False)
    yield tmp_path
    sys.modules.pop("their_agents", None)
    plugins._entry_points.cache_clear()


@pytest.fixture
def file(folder):
    return folder / "their_agents.py"


@pytest.fixture
def installed(folder):
    """The same as a package that offers agents at the entry points."""
    info = folder / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    points = "theirs = their_agents:Last\ngone = their_agents:Gone\nbroken = no_such_module:Agent\n"
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{points}")
    plugins._entry_points.cache_clear()


FORMS = {
    "{file}:Last": "nothing",
    "{file}:Last:deep": "deep",
    "{file}:Last:C:/a:b": "C:/a:b",
    "{file}:make": "by a function",
    "{file}:make:x": "x",
    "{file}:ready": "ready",
    "their_agents:Last": "nothing",
    "their_agents:Last:deep": "deep",
    "their_agents:make": "by a function",
    "theirs": "nothing",
    "theirs:deep": "deep",
    "mine": "nothing",
    "mine:deep": "deep",
}
"""Every way to name the agent, and the argument that it is made with."""


@pytest.fixture
def known(file, installed):
    """An agent is registered, one is installed, and a file's place stands for {file}."""
    impulse_agents.register("mine", plugins.load_reference(plugins.read_reference(f"{file}:Last")))
    return lambda name: name.format(file=file)


def play(env, games=10):
    """Play some games with the first legal action."""
    for seed in range(games):
        env.reset(seed=seed)
        is_over = False
        while not is_over:
            *_, terminated, truncated, _ = env.step(int(env.unwrapped.action_masks().argmax()))
            is_over = terminated or truncated


# --- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_an_agent_is_made_by_its_name_and_is_called_so(form, known):
    name = known(form)
    agent = impulse_agents.make(name)
    assert isinstance(agent, Agent)
    assert (agent.name, agent.argument) == (name, FORMS[form])
    game = Game(players=3, seed=2)
    action = agent.act_in_game(game, np.random.default_rng(0))
    assert action in game.legal_actions()


def test_a_path_may_be_relative_or_below_home(file, monkeypatch):
    monkeypatch.chdir(file.parent.parent)
    assert impulse_agents.make(f"{file.parent.name}/their_agents.py:Last").argument == "nothing"
    monkeypatch.chdir(file.parent)
    assert impulse_agents.make("their_agents.py:Last").argument == "nothing"


def test_a_file_imports_what_lies_beside_it(folder):
    (folder / "helper_of_theirs.py").write_text("BEST = 'yes'\n")
    (folder / "main_of_theirs.py").write_text(
        "from helper_of_theirs import BEST\nfrom their_agents import Last\n"
        "def make():\n    return Last(BEST)\n"
    )
    assert impulse_agents.make(f"{folder}/main_of_theirs.py:make").argument == "yes"


def test_a_file_is_loaded_once_and_again_when_it_has_changed(file):
    first = type(impulse_agents.make(f"{file}:Last"))
    assert type(impulse_agents.make(f"{file}:Last")) is first
    file.write_text(SOURCE.replace('"nothing"', '"something"'), encoding="utf-8")
    assert impulse_agents.make(f"{file}:Last").argument == "something"


def test_names_list_what_is_registered_and_installed(known):
    assert {"mine", "theirs", "gone", "broken"} <= set(impulse_agents.names())
    assert registry.own_names() == ["mine", "broken", "gone", "theirs"]


@pytest.mark.parametrize("name", ["", "greedy", "policy", "a:b"])
def test_a_name_that_is_taken_cannot_be_registered(name):
    with pytest.raises(AgentError, match="it is taken, empty or has a colon"):
        impulse_agents.register(name, impulse_agents.make("random"))


def test_the_projects_own_names_go_before_those_of_packages(installed, folder):
    info = folder / "theirs-1.0.dist-info" / "entry_points.txt"
    info.write_text(f"[{registry.GROUP}]\ngreedy = their_agents:Last\n")
    plugins._entry_points.cache_clear()
    assert type(impulse_agents.make("greedy")).__module__.startswith("impulse_agents.")


# --- At the tables -------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["{file}:Last:deep", "their_agents:Last", "theirs", "mine"])
def test_it_plays_a_match(form, known, capsys):
    name = known(form)
    assert impulse("match", name, "random", "--games", "4", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["agent"] for one in found["agents"]] == [name, "random"]
    assert found["games"] == 4


@pytest.mark.parametrize("form", ["{file}:Last", "their_agents:Last", "theirs"])
def test_it_plays_a_tournament_in_several_processes(form, known, tmp_path, monkeypatch, capsys):
    name, out = known(form), tmp_path / "t"
    words = ("--games", "4", "--target-score", "4", "--max-turns", "30", "--workers", "2")
    assert impulse("tournament", "--agents", name, "random", *words, "--out", out) == 0
    results = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert len(results) == 4
    assert not any(result["error"] for result in results)
    assert {agent for result in results for agent in result["agents"]} == {name, "random"}
    with (out / "ratings.csv").open(encoding="utf-8", newline="") as ratings:
        assert {row["agent"] for row in csv.DictReader(ratings)} == {name, "random"}
    capsys.readouterr()
    assert impulse("tournament", "--replay", "1", "--out", out) == 0
    assert name in capsys.readouterr().out


@pytest.mark.parametrize("form", ["{file}:Last", "their_agents:Last", "theirs", "mine"])
def test_it_is_an_opponent_in_the_environment_for_one_seat(form, known, tmp_path):
    name = known(form)
    env = gymnasium.make("impulse_env:Impulse-v0", players=3, seat=0, opponents=[name, "random"])
    play(env, games=1)
    env.unwrapped.save_record(tmp_path / "game.jsonl")
    record = read(tmp_path / "game.jsonl")
    assert record.header.agents[1].name == name
    for move, game in zip(record.moves, record.games(), strict=False):
        if move.seat == 1:
            agent = impulse_agents.make(name)
            expected = agent.act_in_game(game.view(1), np.random.default_rng(0))
            assert game.name(expected) == move.action


@pytest.mark.parametrize("form", FORMS)
def test_it_gives_hints(form, known):
    name, game = known(form), Game(seed=6)
    agent = impulse_agents.make(name)
    advice = advise(agent, game, np.random.default_rng(0))
    (suggestion,) = advice.suggestions
    assert advice.by == name
    assert suggestion.action == game.name(agent.act_in_game(game, np.random.default_rng(0)))
    assert (suggestion.share, suggestion.visits, advice.wins) == (None, None, None)


def test_it_gives_hints_to_a_person_in_the_terminal(file):
    words = ("play", "--terminal", "--opponents", f"{file}:Last", "--hint", f"{file}:Sure")
    run = run_impulse(*words, "--seed", "1", input="hint\nq\n")
    assert (run.returncode, run.stderr) == (0, "")
    assert f"{file}:Sure would:\n" in run.stdout
    assert "100% place card" in run.stdout


def test_it_annotates_a_record(file, tmp_path, capsys):
    assert impulse("games", "record", f"{file}:Last", "random", "--out", tmp_path / "games") == 0
    path = tmp_path / "games" / "0.jsonl"
    assert [agent.name for agent in read(path).header.agents] == [f"{file}:Last", "random"]
    assert impulse("games", "annotate", path, "--by", f"{file}:Sure") == 0
    for move in read(path).moves:
        assert move.note.by == f"{file}:Sure"
        assert list(move.note.probabilities.values()) == [1.0]
        if move.seat == 0:
            assert list(move.note.probabilities) == [move.action]
    capsys.readouterr()
    assert impulse("games", "annotate", path, "--by", f"{file}:Last") == 2
    assert "gives no probabilities" in refusal(capsys)


def test_a_record_names_code_without_having_it_loaded(file, tmp_path):
    record = tmp_path / "games" / "0.jsonl"
    assert impulse("games", "record", "random", "greedy", "--out", tmp_path / "games") == 0
    text = record.read_text(encoding="utf-8").replace('"random"', f'"{file}:Last"', 1)
    record.write_text(text, encoding="utf-8")
    with pytest.raises(
        AgentError, match=r"no player of this game gives probabilities: .*:Last, greedy"
    ):
        annotate.annotated(read(record))
    assert impulse("replay", record) == 0
    assert not file.with_suffix(".ran").exists()


# --- What is wrong -------------------------------------------------------------------------------

WRONG = {
    "{folder}/none.py:Last": "{folder}/none.py:Last cannot be loaded: there is no file {folder}/no",
    "{folder}:Last": "unknown agent",
    "{file}": "unknown agent",
    "{file}:": "unknown agent",
    "{file}:Lsat": "{file} has no Lsat; did you mean Last?",
    "{file}:xyzzy": "{file} has no xyzzy",
    "their_agents:Lsat": "their_agents has no Lsat; did you mean Last?",
    "no_such_module:Last": "no_such_module:Last cannot be loaded: ModuleNotFoundError: No module",
    "their_agents.more:Last": "their_agents.more:Last cannot be loaded: ModuleNotFoundError",
    "{folder}/raising.py:Best": "{folder}/raising.py:Best cannot be loaded: RuntimeError: not now",
    "{folder}/torn.py:Best": "{folder}/torn.py:Best cannot be loaded: SyntaxError: ",
    "{file}:Stranger": "{file}:Stranger returns a Stranger; an agent must be derived from im",
    "{file}:number": "{file}:number is of type int, neither an agent nor a function",
    "{file}:lucky": "{file}:lucky cannot be created: RuntimeError: no luck today",
    "{file}:picky": "only on Sundays",
    "{file}:Half": "{file}:Half cannot be created: TypeError: Can't instantiate abstract class",
    "{file}:plain": "{file}:plain cannot be created: TypeError: plain() missing 1 required",
    "{file}:lucky:x": "{file}:lucky:x cannot be created: TypeError: lucky() takes 0 positional",
    "gone": "gone (their_agents:Gone) cannot be loaded: AttributeError",
    "broken": "broken (no_such_module:Agent) cannot be loaded: ModuleNotFoundError: No module",
    "thiers": "unknown agent 'thiers'; did you mean theirs? there are random, greedy",
    "mien": "unknown agent 'mien'; did you mean mine?",
    "thiers:deep": "thiers:deep cannot be loaded: ModuleNotFoundError: No module named 'thiers'; "
    "did you mean theirs?",
    "polcy:two": "polcy:two cannot be loaded: ModuleNotFoundError: No module named 'polcy'; did you"
    " mean policy?",
}


@pytest.mark.parametrize("form", WRONG)
def test_what_is_wrong_is_one_sentence(form, known, folder, file, capsys):
    (folder / "raising.py").write_text('raise RuntimeError("not\\n  now")\n')
    (folder / "torn.py").write_text("class Best(\n")
    name, said = (text.format(file=file, folder=folder) for text in (form, WRONG[form]))
    for _ in range(2):  # the second time as the first
        with pytest.raises(AgentError) as raised:
            impulse_agents.make(name)
        assert str(raised.value).startswith(said)
        assert "\n" not in str(raised.value)
    assert impulse("match", name, "random", "--games", "2") == 2
    assert refusal(capsys).startswith(said)


def test_a_package_that_an_agent_needs_is_named_with_its_extra(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    (folder / "needing.py").write_text("import pyspiel\n")
    with pytest.raises(MissingExtraError, match=r'needs pyspiel, .*"impulse-env\[bench\]"'):
        impulse_agents.make(f"{folder}/needing.py:Best")


def test_an_agent_with_illegal_choices_is_reported(file, folder):
    (folder / "cheat.py").write_text(
        "import numpy as np\nfrom impulse_agents import Agent\n\nclass Cheat(Agent):\n"
        "    def act(self, seen, streams):\n        return seen.masks.argmin(axis=1)\n"
    )
    env = gymnasium.make("impulse_env:Impulse-v0", opponents=f"{folder}/cheat.py:Cheat", seat=1)
    with pytest.raises(ImpulseError, match="opponent: illegal action"):
        play(env)


@pytest.mark.parametrize("form", [form for form in FORMS if ":" in form.replace(":deep", "")])
def test_code_is_not_loaded_for_a_name_that_somebody_else_wrote(form, file):
    name = form.format(file=file)
    with pytest.raises(AgentError, match="is code; a name that a file contains never runs code"):
        impulse_agents.make(name, allow_code=False)
    assert not file.with_suffix(".ran").exists()


@pytest.mark.parametrize("name", ["greedy", "ismcts:4", "policy:2p", "theirs", "mine"])
def test_names_of_what_is_installed_need_no_such_leave(name, known):
    assert impulse_agents.make(name, allow_code=False).name == name

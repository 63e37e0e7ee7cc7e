"""Programs play like every other agent; what is wrong with one ends as a fault, never as a hang."""

import json
import os
import sys
from functools import partial
from time import perf_counter

import numpy as np
import pytest

from bots import bot
from impulse_agents import registry
from impulse_agents.advice.advice import advise
from impulse_agents.asking.ask import ask_in_batch, ask_in_game
from impulse_agents.asking.faults import AgentFaultError
from impulse_agents.asking.guard import guarded
from impulse_agents.asking.limits import Limits
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.identity import identity_of
from impulse_agents.playing.game_runner import LenientRunner
from impulse_agents.protocol import agent as module
from impulse_agents.protocol.program import PolledChannel, Program, ThreadedChannel
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.game import Game
from impulse_env.information import determinize_all
from impulse_env.observation import observe_all
from impulse_env.options import Options

CHANNELS = [ThreadedChannel] if os.name == "nt" else [PolledChannel, ThreadedChannel]
FAULTS = {
    "illegal": ("illegal", "illegal action .*race ariek.*; legal are: "),
    "unknown": ("illegal", "unknown action 'win'"),
    "garbage": ("type", "it wrote a line that is not a message: it is not JSON"),
    "endless": ("error", "it wrote a line of more than 1048576 bytes"),
    "chatty": ("error", "it wrote more than 1000 lines of info"),
    "refuses": ("error", "no idea"),
    "dies": ("died", r"the program ended \(exit code 3\)"),
}
LATE = {"slow": "it took longer than 0.2 seconds", "deaf": "0.2", "children": "0.2"}


@pytest.fixture
def make(monkeypatch):
    """Make agents, which are ended after the test; they have little time after `stop`."""
    monkeypatch.setattr("impulse_agents.protocol.conversation._GRACE", 0.2)
    made = []

    def make(kind, *arguments):
        made.append(registry.make(bot(kind, *arguments)))
        return made[-1]

    yield make
    for agent in made:
        agent.close()


def decide(agent, game=None):
    game = Game(seed=1) if game is None else game
    return ask_in_game(agent, game, np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["first", "ahead", "last"])
def test_a_program_plays_whole_games_like_an_agent_in_python(kind, make):
    agent, options = make(kind), Options(players=3, max_turns=8)
    batch = GameBatch(options, range(12))
    streams = RngStreams.from_seeds(range(12))
    while (batch.seats >= 0).any():
        playing = np.flatnonzero(batch.seats >= 0)
        answers = ask_in_batch(agent, batch, playing, streams, playing)
        for game, own in zip(playing.tolist(), answers.tolist(), strict=True):
            (view,) = ObservationBatch.from_batch(batch, np.array([game]), True).views
            legal = Game.from_state(view).legal_actions()
            seen = ObservationBatch.from_game(Game.from_state(view))
            assert seen.action_name(0, own) == Game.from_state(view).name(
                legal[-1 if kind == "last" else 0]
            )
        actions = np.zeros(12, np.int64)
        actions[playing] = answers
        batch.step(actions)


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("kind", FAULTS)
def test_a_wrong_answer_is_a_fault_and_the_next_game_a_new_program(
    kind, channel, make, monkeypatch
):
    monkeypatch.setattr(module, "Program", partial(Program, channel=channel))
    agent, (fault, detail) = make(kind), FAULTS[kind]
    for _ in range(2):
        with pytest.raises(AgentFaultError, match=detail) as error:
            decide(agent)
        assert error.value.fault.kind == fault
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("kind", LATE)
def test_a_program_that_does_not_answer_is_ended_with_its_children(
    kind, channel, make, monkeypatch
):
    monkeypatch.setattr(module, "Program", partial(Program, channel=channel))
    agent = make(kind)
    agent.check_players(2)  # it has started
    start = perf_counter()
    with pytest.raises(AgentFaultError, match=LATE[kind]) as error:
        decide(agent)
    assert error.value.fault.kind == "time"
    assert perf_counter() - start < 5


def test_a_program_may_answer_when_it_is_stopped(make):
    assert decide(make("patient")) in Game(seed=1).legal_actions()


def test_an_answer_to_an_earlier_decision_is_a_fault(make):
    agent = make("stale")
    decide(agent)
    with pytest.raises(AgentFaultError, match="it answered 1, but the question is 2"):
        decide(agent)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("later", "it speaks protocol 2, and this is 1"),
        ("rude", "its first line must be a hello"),
        ("mute", "it did not say hello within 1 seconds"),
    ],
)
def test_a_program_without_a_hello_cannot_play(kind, why):
    agent = module.ProgramAgent(bot(kind).removeprefix("cmd:"), start=1.0)
    with pytest.raises(AgentError, match=why) as error:
        decide(agent)
    assert not isinstance(error.value, AgentFaultError)


def test_a_program_names_the_tables_that_it_plays_at(make):
    agent = make("two")
    agent.check_players(2)
    with pytest.raises(AgentError, match="plays with 2 players, not 3"):
        decide(agent, Game(players=3, seed=0))


def test_a_game_is_lost_by_a_fault_and_the_others_go_on(make):
    entrants = [make("illegal"), registry.make("random")]
    seats = np.array([[0, 1], [1, 0], [1, 1]])
    runner = LenientRunner(
        entrants, Options(max_turns=4), range(3), seats, RngStreams.from_seeds(range(6))
    )
    runner.play_to_end()
    assert {table: fault.kind for table, fault in runner.faults.items()} == {
        0: "illegal",
        1: "illegal",
    }


def test_a_time_limit_holds_for_programs():
    with guarded([registry.make(bot("slow"))], Limits(time=0.1), Options()) as (agent,):
        with pytest.raises(AgentFaultError, match=r"it took longer than 0.1 seconds"):
            decide(agent)


def test_a_program_may_give_chances_and_lines(make):
    agent, game = make("thinks"), Game(seed=1)
    advice = advise(agent, game, np.random.default_rng(0))
    assert advice.wins == 0.6
    assert [one.share for one in advice.suggestions] == [1 / len(game.legal_actions())] * 3
    seen = ObservationBatch.from_game(game)
    (line,) = agent.variations(seen, RngStreams.from_seeds([0]))
    assert line.actions == (game.name(game.legal_actions()[-1]),)
    assert (line.visits, line.share, line.value) == (9, 0.5, 0.7)


def test_a_program_without_lines_is_no_search(make):
    seen, agent = ObservationBatch.from_game(Game(seed=1)), make("first")
    assert len(advise(agent, Game(seed=1), np.random.default_rng(0)).suggestions) == 1
    with pytest.raises(AgentError, match="gives no lines of a search"):
        agent.variations(seen, RngStreams.from_seeds([0]))


# --- What a program sees --------------------------------------------------------------------------


def lines_about(batch, make, file, wants):
    agent, every = make("log", file, wants), np.arange(len(batch.seats))
    ask_in_batch(agent, batch, every, RngStreams.from_seeds(every), every)
    agent.close()
    return file.read_bytes()


@pytest.mark.parametrize("players", [2, 4])
def test_hidden_information_changes_no_byte_of_any_line(players, make, tmp_path):
    options = Options(players=players)
    batch, every = GameBatch(options, range(8)), np.arange(8)
    player, streams = registry.make("core_rush"), RngStreams.from_seeds(range(8))
    for _ in range(30):
        batch.step(player.act_in_batch(batch, every, streams, every))
    wants = "view+observation+text+world"
    before = lines_about(batch, make, tmp_path / "before", wants)
    hidden = batch.states.copy()
    determinize_all(
        batch.states, batch.seats.astype(np.int64), RngStreams.from_seeds(every + 99).bits()
    )
    assert (hidden["deck"] != batch.states["deck"]).any()
    assert (hidden["hand"] != batch.states["hand"]).any()
    batch.observations[:] = observe_all(batch.states, batch.seats)
    assert lines_about(batch, make, tmp_path / "after", wants) == before


def test_a_program_gets_what_it_wants_and_nothing_else(make, tmp_path):
    basic = {"type", "id", "game", "seed", "legal", "actions"}
    more = {"observation": {"observation", "own"}, "view": {"view"}, "text": {"text"}}
    more |= {"world": {"world"}, "view+text": {"view", "text"}}
    for wants, fields in more.items():
        batch = GameBatch(Options(), [5])
        logged = lines_about(batch, make, tmp_path / wants, wants).splitlines()
        (asked,) = (m for m in map(json.loads, logged) if m["type"] == "choose")
        assert set(asked) == basic | fields
    lines = [json.loads(line) for line in (tmp_path / "view").read_bytes().splitlines()]
    assert [line["type"] for line in lines] == ["hello", "options", "new_game", "choose", "quit"]
    assert lines[2] == {
        "type": "new_game",
        "game": 1,
        "players": 2,
        "seat": int(GameBatch(Options(), [5]).seats[0]),
        "team_size": None,
        "target_score": 20,
    }


def test_a_game_keeps_its_number_until_another_begins(make, tmp_path):
    agent, batch, every = make("log", tmp_path / "log"), GameBatch(Options(), [1, 2]), np.arange(2)
    streams = RngStreams.from_seeds([1, 2])
    for _ in range(3):
        batch.step(ask_in_batch(agent, batch, every, streams, every))
    agent.close()
    lines = list(map(json.loads, (tmp_path / "log").read_bytes().splitlines()))
    assert [line["game"] for line in lines if line["type"] == "new_game"] == [1, 2]
    assert [line["game"] for line in lines if line["type"] == "choose"] == [1, 2] * 3


# --- Processes ------------------------------------------------------------------------------------


def is_running(agent):
    return agent._conversation.program.wait(0) is None


def test_a_program_starts_when_it_is_needed_and_ends_with_the_agent(make):
    agent = make("first")
    assert agent._conversation is None
    decide(agent)
    program = agent._conversation.program
    agent.close()
    assert program.wait(0) == 0
    decide(agent)
    assert is_running(agent)


def test_a_forgotten_agent_ends_its_program(make):
    agent = registry.make(bot("first"))
    decide(agent)
    program = agent._conversation.program
    del agent
    assert program.wait(0) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked there")
def test_a_forked_process_starts_a_program_of_its_own(make):
    agent = make("first")
    decide(agent)
    child = os.fork()
    if child == 0:
        decide(agent)
        os._exit(7 if agent._conversation.program.is_ours else 8)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert is_running(agent)
    decide(agent)


def test_what_a_program_writes_to_standard_error_is_passed_on(make, capfd):
    decide(make("loud"))
    assert capfd.readouterr().err == "x" * 300_000


# --- Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("./there_is_none", "there is no such program: ./there_is_none"),
        ("'open", "is not a command: No closing quotation"),
        ("''", "is followed by a command"),
    ],
)
def test_a_wrong_command_is_refused_at_once(command, why):
    with pytest.raises(AgentError, match=why):
        registry.make(f"cmd:{command}")


def test_no_shell_reads_a_command(tmp_path):
    agent = registry.make(f"cmd:{sys.executable} -c pass ; touch {tmp_path}/there $(touch b) | cat")
    with pytest.raises(AgentError, match="the program ended"):
        decide(agent)
    assert not (tmp_path / "there").exists()


def test_the_identity_of_a_program_is_its_command_and_the_content_of_its_files(tmp_path):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    for file in (one, other):
        file.write_text("print(1)")

    def digest(words):
        return identity_of(registry.make(f"cmd:{sys.executable} {words}")).digest

    first = digest(one)
    assert digest(other) == first
    assert digest(f"{one} --fast") != first
    other.write_text("print(2)")
    assert digest(other) != first


def test_a_name_that_a_file_contains_starts_no_program():
    with pytest.raises(AgentError, match="is a program; a name that a file contains never starts"):
        registry.make(bot("first"), allow_code=False)

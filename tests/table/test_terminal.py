"""A person plays in the terminal: a whole game, every command, bad input, and nothing hidden."""

import re
import sys

import numpy as np
import pytest

import impulse_agents
from bots import bot
from commands import impulse, refusal, run_impulse
from impulse_agents.base import AgentError
from impulse_env.actions import N_ACTIONS
from impulse_env.game import Game
from impulse_env.options import OptionError
from impulse_env.records.reader import read
from impulse_table import terminal


class Typist:
    """Types given lines, then the numbers of random options; keeps what it was shown."""

    def __init__(self, *lines, seed=0, most=N_ACTIONS):
        self.lines = list(lines)
        self.rng = np.random.default_rng(seed)
        self.shown = []
        self.most = most
        self.asked = 0

    def say(self, text):
        self.shown += text.split("\n")

    def ask(self, prompt):
        self.shown.append(prompt)
        self.asked += 1
        if self.asked > self.most:
            raise EOFError
        if self.lines:
            return self.lines.pop(0)
        return str(1 + self.rng.integers(int(re.search(r"1 to (\d+)", prompt)[1])))

    @property
    def text(self):
        return "\n".join(self.shown)


def sitting(typist, *arguments):
    """The table of a command line, with a typist at it."""
    made = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal, "_play", lambda table, path: made.append(table))
        assert impulse("play", "--terminal", *arguments) == 0
    (table,) = made
    table.ask, table.say = typist.ask, typist.say
    return table


def play(table, path=None):
    """Play at that table by the command; return its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal, "sit_down", lambda args: table)
        return impulse("play", "--terminal", *([] if path is None else ["--record", path]))


@pytest.mark.parametrize(
    "arguments",
    [
        ("--opponents", "random", "--seed", "1"),
        ("--opponents", "greedy", "miner", "--seat", "2", "--seed", "2"),
        ("--players", "4", "--team-size", "2", "--seat", "1", "--seed", "3"),
        ("--players", "5", "--opponents", "warrior", "--seed", "4", "--seat", "4"),
        ("--players", "6", "--team-size", "3", "--opponents", "random", "--seed", "5"),
    ],
    ids=["two", "three", "teams", "five", "six"],
)
def test_a_whole_game_is_played_and_recorded(tmp_path, arguments):
    path = tmp_path / "game.jsonl"
    typist = Typist()
    table = sitting(typist, *arguments, "--record", str(path))
    assert play(table, path) == 0
    assert table.game.is_over
    assert "The game is over" in typist.text
    record = read(path)
    *_, last = record.games()
    assert last == table.game
    seat = table.seat
    assert record.header.agents[seat].name == "human"
    assert all(move.note is None for move in record.moves if move.seat == seat)
    assert all(move.note.seconds is not None for move in record.moves if move.seat != seat)
    others = [agent for at, agent in enumerate(record.header.agents) if at != seat]
    assert all(agent.seed is not None for agent in others)


def test_a_program_in_any_language_is_an_opponent(tmp_path):
    path = tmp_path / "game.jsonl"
    table = sitting(
        Typist(most=40), "--opponents", bot("first"), "--seed", "9", "--record", str(path)
    )
    assert play(table, path) == 0
    record = read(path)
    assert {agent.name for agent in record.header.agents} == {"human", bot("first")}
    assert {move.seat for move in record.moves} == {0, 1}


def test_the_agents_of_a_record_play_the_same_again(tmp_path):
    path = tmp_path / "game.jsonl"
    table = sitting(Typist(), "--opponents", "greedy", "--seed", "9", "--record", str(path))
    assert play(table, path) == 0
    record = read(path)
    agent, rng = impulse_agents.make("greedy"), np.random.default_rng(record.header.agents[1].seed)
    for move, game in zip(record.moves, record.games(), strict=False):
        if move.seat == 1:
            assert game.name(agent.act_in_game(game, rng)) == move.action


def test_nothing_hidden_is_shown():
    """The same typing at tables that look the same to the seat shows the same up to a decision."""
    rng, checked = np.random.default_rng(0), 0
    typist = Typist(most=40, seed=3)
    table = sitting(typist, "--opponents", "warrior", "greedy", "--seed", "7", "--seat", "1")
    step = table._step

    def watched(move):
        nonlocal checked
        if table.game.seat == table.seat:
            shown = []
            for game in (table.game, table.game.determinize(table.seat, rng)):
                other = Typist("hint", "board", "? 41", "q")
                twin = terminal.Sitting(
                    game.copy(), 1, {}, table.chances, adviser, other.ask, other.say
                )
                twin.chances = [np.random.default_rng(5)] * 3
                with pytest.raises(terminal.Left):
                    twin._take_own()
                shown.append(other.text)
            assert shown[0] == shown[1]
            checked += 1
        step(move)

    def adviser():
        return impulse_agents.make("greedy")

    table._step = watched
    assert play(table) == 0
    assert checked == 40 or table.game.is_over
    assert checked > 20


def test_every_command_is_answered():
    lines = ["?", "? 60", "? card 21", "?  ", "hint", "board", "", "99", "0", "-1", "card 108x"]
    typist = Typist(*lines, "\x1b[A", "pass", "q")
    table = sitting(typist, "--opponents", "greedy", "--seed", "1", "--hint", "ismcts:50")
    assert play(table) == 0
    text = typist.text
    assert "hint, h     what the hint's agent would do" in text
    assert "card 60 (Research, red 2): Research [1] yellow card from your hand." in text
    assert "card 21 is not a card; cards have the numbers 1 to 109 without 21" in text
    assert re.search(r"ismcts:50 would:\n +\d +\d+% \(\d+ visits, wins \d+%\) place card", text)
    assert text.count("Cell: number and card") == 2
    assert "you typed nothing: type a number from 1 to 6, or ? for help" in text
    for wrong in ("'99'", "'0'", "'-1'", "'card 108x'", r"'\x1b[a'", "'pass'"):
        assert f"{wrong} is not an option: type a number from 1 to 6, or ? for help" in text
    assert not table.game.is_over


def test_a_calibrated_policy_tells_the_chance_to_win():
    typist = Typist("h", "q")
    assert play(sitting(typist, "--seed", "1", "--hint", "policy:2p")) == 0
    found = re.search(
        r"\n  It gives you a chance of (\d+)% to win \(off by (\d)% on average\)\.\n", typist.text
    )
    assert 5 < int(found[1]) < 95


def test_options_are_taken_by_number_and_by_name():
    for typed in ("2", "card 46", " CARD 46 "):
        typist = Typist(typed, "q")
        table = sitting(typist, "--opponents", "greedy", "--seed", "1")
        assert play(table) == 0
        assert "Seat 0 places card 46 (Refine, green 1) on the home cell." in typist.text


def test_choices_taken_back_leave_no_trace(tmp_path):
    """The record has what was left, and the agents play it as if nothing had been taken back."""
    path = tmp_path / "game.jsonl"
    typist, rng, took = Typist(seed=4), np.random.default_rng(1), []
    table = sitting(typist, "--opponents", "greedy", "--seed", "9", "--record", str(path))
    ask, take_back = table.ask, table._take_back
    table.ask = lambda prompt: "z" if rng.random() < 0.3 else ask(prompt)
    table._take_back = lambda: took.append(take_back()) or took[-1]
    assert play(table, path) == 0
    assert min(took.count(True), took.count(False)) > 5
    assert typist.text.count("nothing can be taken back") == took.count(False)
    record = read(path)
    assert list(record.games())[-1] == table.game
    agent, seed = impulse_agents.make("greedy"), record.header.agents[1].seed
    chance = np.random.default_rng(seed)
    for move, game in zip(record.moves, record.games(), strict=False):
        if move.seat == 1:
            assert game.name(agent.act_in_game(game, chance)) == move.action


def test_a_game_that_is_left_keeps_its_decisions(tmp_path, capsys):
    path = tmp_path / "left.jsonl"
    table = sitting(Typist("1", "1", "quit"), "--seed", "1", "--record", str(path))
    assert play(table, path) == 0
    record = read(path)
    assert len(record.moves) > 2
    assert (record.result.end, record.result.why) == ("stopped", "the player left")
    assert f"The record is in {path}" in capsys.readouterr().out
    assert [move.seat for move in record.moves].count(0) == 2


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (AgentError("out of ideas"), "failing: out of ideas"),
        (ValueError("boom"), "agent failing failed: ValueError: boom"),
    ],
)
def test_an_agent_that_fails_ends_the_game_with_its_reason(raised, said, tmp_path, capsys):
    path = tmp_path / "failed.jsonl"
    table = sitting(Typist(), "--seed", "1", "--record", str(path))

    class Failing(impulse_agents.Agent):
        name = "failing"

        def act(self, seen, streams):
            raise raised

    table.players = {1: Failing()}
    assert play(table, path) == 2
    assert capsys.readouterr().err == f"error: {said}\n"
    assert read(path).result.why == said


def test_opponents_sit_clockwise_from_the_person():
    assert terminal.seated(["greedy"], 1, 3) == {2: "greedy", 0: "greedy"}
    assert terminal.seated(["a", "b", "c"], 2, 4) == {3: "a", 0: "b", 1: "c"}
    with pytest.raises(OptionError, match="one for each of 3 other seats; not 2"):
        terminal.seated(["a", "b"], 0, 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--opponents", "clever"], "unknown agent 'clever'; there are random, greedy"),
        (["--hint", "clever"], "unknown agent 'clever'"),
        (["--players", "7"], "players must be an integer from 2 to 6, not 7"),
        (["--players", "5", "--team-size", "2"], "team_size (players per team) with 5 players"),
        (["--seat", "2"], "seat must be from 0 to 1, not 2"),
        (["--players", "2", "--opponents", "greedy", "miner"], "one for each of 1 other seats"),
    ],
)
def test_a_table_that_cannot_be_is_one_line(tmp_path, capsys, arguments, message):
    path = tmp_path / "game.jsonl"
    assert impulse("play", "--terminal", *arguments, "--record", path) == 2
    assert message in refusal(capsys)
    assert not path.exists()


def test_a_record_goes_into_a_new_file(tmp_path, capsys):
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    assert impulse("play", "--terminal", "--record", path) == 2
    assert "already exists; name a new file for the record" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_the_deal_of_a_seed_is_that_of_a_game():
    table = sitting(Typist(), "--players", "3", "--seed", "12")
    assert table.game == Game(players=3, seed=12)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_it_is_played_on_a_terminal(tmp_path):
    from on_a_terminal import Terminal

    path = tmp_path / "game.jsonl"
    arguments = ("--opponents", "random", "--seed", "2", "--record", str(path))
    with Terminal("play", "--terminal", *arguments) as screen:
        for _ in range(12):
            assert "decides: " in screen.wait_for("or ? for help: ")
            screen.type("1\n")
        screen.wait_for("or ? for help: ")
        screen.type("\x04")  # Ctrl-D
        screen.wait_for("the player left.")
        assert screen.end() == 0
    assert len(read(path).moves) > 12


def test_at_the_end_of_the_input_the_game_is_left(tmp_path):
    path = tmp_path / "game.jsonl"
    done = run_impulse("play", "--terminal", "--seed", "3", "--record", path, input="1\n1\n")
    assert done.returncode == 0
    assert "the player left." in done.stdout
    assert done.stderr == ""
    assert read(path).result.end == "stopped"

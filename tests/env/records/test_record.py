"""A record is the game: it is read as it was written, and anything that does not fit is refused."""

import json
import subprocess
import sys

import pettingzoo
import pytest

import impulse_env
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.errors import ArgumentError, RecordError
from impulse_env.game import Game
from impulse_env.records.reader import parse, read
from impulse_env.records.record import Annotation, Header, Move, Record, Result, SeatedAgent
from impulse_env.records.writer import Writer
from recorded import IDS, TABLES, played

TWO = TABLES[0]


def lines_of(record):
    return record.text().splitlines()


def changed(number, change=None, table=TWO, **fields):
    """The text of a record with a line (1 the first, -1 the last) edited.

    Fields are replaced, by values or by what functions make of them; `change` edits it anyhow.
    """
    lines = lines_of(played(table)[0])
    index = number - 1 if number > 0 else number
    if change is None:
        entry = json.loads(lines[index])
        for name, value in fields.items():
            entry[name] = value(entry[name]) if callable(value) else value
        lines[index] = json.dumps(entry)
    else:
        lines[index] = change(lines[index])
    return "".join(line + "\n" for line in lines)


# --- Round trips ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_a_record_gives_back_every_byte_of_the_game(table):
    record, states = played(table)
    again = parse(record.text())
    assert again == record
    assert tuple(game.to_bytes() for game in again.games()) == states


def test_a_record_is_small():
    record, _ = played(TABLES[4])
    assert len(record.text()) < 40 * (len(record.moves) + 30)


@pytest.mark.parametrize("step", [0, 7, 40, 41, 42, 43, 44, 45])
def test_a_record_may_begin_anywhere(step):
    record, states = played(TWO)
    header = Header.of_game(Game.from_bytes(states[step]), record.header.agents)
    part = Record(header, record.moves[step:], record.result)
    again = parse(part.text())
    assert again == part
    assert tuple(game.to_bytes() for game in again.games()) == states[step:]
    assert again.header.options.players == 2


def test_both_ways_to_begin_in_the_middle_occur():
    record, states = played(TWO)
    begins = {
        key
        for step in range(40, 46)
        for key in json.loads(
            Header.of_game(Game.from_bytes(states[step]), record.header.agents).line()
        )
    }
    assert {"position", "bytes"} < begins


def test_annotations_come_back():
    record, states = played(TWO)
    game = Game.from_bytes(states[0])
    shares = {game.name(action): 1 / len(game.legal_actions()) for action in game.legal_actions()}
    note = Annotation("policy:2p", shares, 0.25, 0.5)
    noted = Record(record.header, list(record.moves), record.result)
    noted.moves[0] = Move(record.moves[0].seat, record.moves[0].action, note)
    noted.moves[1] = Move(record.moves[1].seat, record.moves[1].action, Annotation(seconds=0.5))
    again = parse(noted.text())
    assert again == noted
    assert again.moves[0].note == note
    assert again.moves[2].note is None


def test_a_game_that_was_left_is_whole_with_its_reason(tmp_path):
    record, states = played(TWO)
    left = Record(record.header, record.moves[:9], Result.of(Game.from_bytes(states[9]), "a\tquit"))
    left.save(tmp_path / "deep" / "left.jsonl")
    again = read(tmp_path / "deep" / "left.jsonl")
    assert again == left
    assert (again.result.end, again.result.why, again.result.winners) == ("stopped", "a quit", ())


# --- The writer -------------------------------------------------------------------------------


def test_the_writer_writes_what_a_record_holds(tmp_path):
    record, _ = played(TWO)
    with Writer(tmp_path / "game.jsonl", record.header) as writer:
        for move in record.moves:
            writer.add(move)
        writer.end(record.result)
    assert (tmp_path / "game.jsonl").read_text(encoding="utf-8") == record.text()


def test_decisions_that_were_taken_back_are_cut_off(tmp_path):
    record, _ = played(TWO)
    path = tmp_path / "game.jsonl"
    with Writer(path, record.header) as writer:
        for move in record.moves[:7]:
            writer.add(move)
        writer.take_back(3)
        for wrong in (0, -1, 5, 1.0, None):
            with pytest.raises(ArgumentError, match="moves must be an integer from 1 to 4, not"):
                writer.take_back(wrong)
        assert read(path, partial=True).moves == record.moves[:4]
        writer.take_back(1)
        for move in record.moves[3:]:
            writer.add(move)
        writer.end(record.result)
    assert path.read_text() == record.text()


def test_the_writer_leaves_a_file_that_is_there_alone(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        Writer(path, played(TWO)[0].header)
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_killed_game_keeps_its_decisions(tmp_path):
    path = tmp_path / "killed.jsonl"
    code = f"""
import os
from impulse_env import Game, Options
from impulse_env.records.record import Header, Move, SeatedAgent
from impulse_env.records.writer import Writer
game = Game(seed=0)
writer = Writer({str(path)!r}, Header(Options(), (SeatedAgent("a"), SeatedAgent("b")), seed=0))
for _ in range(5):
    action = game.name(game.legal_actions()[0])
    writer.add(Move(game.seat, action))
    game.step(action)
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    with pytest.raises(RecordError, match=r"line 6: the record ends here without a result"):
        read(path)
    record = read(path, partial=True)
    assert len(record.moves) == 5
    assert record.result is None


# --- What does not fit ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the file is empty"),
        ("hello\nworld\n", "line 1: this is not a record"),
        ("hello", "line 1: this is not a record"),
        ("[" * 100_000 + "\n", "line 1: this is not a record"),
        ('{"game":0,"deal":7}\n', "line 1: this is not a record"),
        (lambda: changed(1, version=9), "line 1: the record has version 9; this package reads 1"),
        (lambda: changed(1, version=True), "line 1: the record has version True; this package"),
        (
            lambda: changed(1, options={"players": 2.0}),
            "line 1: options.players must be a whole",
        ),
        (lambda: changed(1, seed="x"), "line 1: seed must be a whole number, not 'x'"),
        (lambda: changed(1, position={}), "line 1: a record begins with options and seed, with a"),
        (lambda: changed(1, agents=[{"name": "a"}]), "line 1: agents must be a list of 2"),
        (lambda: changed(1, agents=[{}, {}]), r"line 1: agents\[0\] has no name"),
        (
            lambda: changed(1, agents=[{"name": "\x1b[2J"}] * 2),
            r"line 1: agents\[0\]: the name of an agent must be text of at most 300 "
            r"printable characters, not '\\x1b\[2J'",
        ),
        (lambda: changed(1, options={"players": 7}), "line 1: options: players must be an integer"),
        (
            lambda: changed(1, options={"size": 7}),
            "line 1: options has an unknown field 'size'",
        ),
        (
            lambda: changed(1, more=1),
            r"has an unknown field 'more' \(there are format, v",
        ),
        (lambda: changed(3, lambda line: line[:-2]), "line 3: this is not JSON"),
        (lambda: changed(3, lambda line: "7"), "line 3: a line must be a JSON object"),
        (lambda: changed(3, lambda line: "{}"), "line 3: a line is a decision with"),
        (lambda: changed(3, action="race ariek"), r"line 3: illegal action \d+ \(race ariek\) at"),
        (lambda: changed(3, action="dance"), "line 3: unknown action 'dance'; actions are named"),
        (lambda: changed(3, action=7), "line 3: action must be a text, not 7"),
        (lambda: changed(3, seat=5), r"line 3: seat \d decides here, not 5"),
        (lambda: changed(3, seat=float), r"seat must be a whole number, not \d\.0"),
        (lambda: changed(3, seat=bool), r"seat must be a whole number, not (True|Fa)"),
        (
            lambda: changed(3, more=1),
            r"has an unknown field 'more' \(there are seat, act",
        ),
        (lambda: changed(3, wins="high"), "line 3: wins must be a number or null, not 'high'"),
        (lambda: changed(3, wins=float("nan")), "line 3: this is not JSON"),
        (lambda: changed(3, wins=1.16), "line 3: wins must be a number <= 1.0, not 1.16"),
        (lambda: changed(3, wins=-0.01), "line 3: wins must be a number >= 0.0, not -0.01"),
        (lambda: changed(3, by="\n"), "line 3: by must be text of at most 300 printable"),
        (lambda: changed(3, probabilities=[1]), "line 3: probabilities must be an object"),
        (
            lambda: changed(3, probabilities={"race ariek": 1.0}),
            "line 3: probabilities: 'race ariek' is not legal here",
        ),
        (
            lambda: changed(-1, lambda line: line + "\n" + line),
            "the result is the last line of a record, but another one follows it",
        ),
        (lambda: changed(-1, lambda line: '{"seat":0,"action":"pass"}'), "the game is over, but"),
        (lambda: changed(-2, lambda line: ""), "this is not JSON"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(text, message):
    with pytest.raises(RecordError, match=message):
        parse(text() if callable(text) else text)


def test_a_probability_is_from_0_to_1():
    action = played(TWO)[0].moves[1].action
    with pytest.raises(RecordError, match="line 3: a value of probabilities must be a"):
        parse(changed(3, probabilities={action: 1.5}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("end", "elimination"),
        ("winners", []),
        ("scores", [0, 0]),
        ("points", [{}, {}]),
        ("turns", 1),
        ("digest", "00000000"),
    ],
)
def test_a_result_that_does_not_fit_is_refused(field, value):
    last = len(played(TWO)[0].moves) + 2
    with pytest.raises(RecordError, match=rf"line {last}: the result says {field} .* ends with"):
        parse(changed(last, **{field: value}))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("turns", float, "turns must be a whole number"),
        ("scores", lambda scores: [*map(float, scores)], r"scores\[0\] must be a whole number"),
        ("winners", lambda winners: [*map(bool, winners)], r"winners\[0\] must be a whole number"),
    ],
)
def test_a_number_of_a_result_is_a_whole_one(field, value, said):
    with pytest.raises(RecordError, match=said):
        parse(changed(-1, **{field: value}))


def test_a_result_before_the_end_is_refused():
    record, _ = played(TWO)
    lines = lines_of(record)
    text = "".join(line + "\n" for line in [*lines[:10], lines[-1]])
    with pytest.raises(RecordError, match="line 11: the result is 'score', but the game continues"):
        parse(text)


def test_a_torn_line_is_named(tmp_path):
    record, _ = played(TWO)
    lines = lines_of(record)
    path = tmp_path / "torn.jsonl"
    path.write_text("\n".join(lines[:7])[:-5], encoding="utf-8")
    with pytest.raises(RecordError, match=r"torn\.jsonl, line 7: the line is torn"):
        read(path)
    assert read(path, partial=True).moves == record.moves[:5]
    path.write_bytes(b"\n".join([lines[0].encode(), b"\xff\xfe"]))
    with pytest.raises(RecordError, match=r"torn\.jsonl, line 2: this is not text in UTF-8"):
        read(path)


@pytest.mark.parametrize(
    "wrong", [{"position": {"players": 9}}, {"position": 7}, {"bytes": "????"}, {"bytes": 7}]
)
def test_an_invalid_start_is_refused(wrong):
    header = json.loads(lines_of(played(TWO)[0])[0])
    del header["options"], header["seed"]
    with pytest.raises(RecordError, match=f"line 1: {next(iter(wrong))}: "):
        parse(json.dumps(header | wrong) + "\n")


# --- Headers ----------------------------------------------------------------------------------


def test_a_header_says_one_way_to_begin_and_names_every_seat():
    options, agents = impulse_env.Options(), (SeatedAgent("a"), SeatedAgent("b"))
    with pytest.raises(ValueError, match="either a seed or a game"):
        Header(options, agents)
    with pytest.raises(ValueError, match="as many agents, not 1"):
        Header(options, agents[:1], seed=0)
    with pytest.raises(ValueError, match="printable"):
        SeatedAgent("two\nlines")


# --- The environments -------------------------------------------------------------------------


def played_env(**options):
    env = pettingzoo.make("aec", "impulse/impulse-v0", **options)
    env.reset(seed=3)
    for agent in env.agent_iter():
        env.action_space(agent).seed(1)
        observation, _, termination, truncation, _ = env.last()
        dead = termination or truncation
        env.step(None if dead else env.action_space(agent).sample(observation["action_mask"]))
    return env


@pytest.mark.parametrize(
    "options", [{"players": 3}, {"players": 6, "team_size": 2, "max_turns": 20}]
)
def test_the_aec_environment_saves_its_game(tmp_path, options):
    env = played_env(**options)
    env.unwrapped.save_record(tmp_path / "aec.jsonl", ["x", "y", "z"] * (options["players"] // 3))
    record = impulse_env.read_record(tmp_path / "aec.jsonl")
    assert [agent.name for agent in record.header.agents[:3]] == ["x", "y", "z"]
    *_, last = record.games()
    assert last == env.unwrapped.game


def test_a_copy_of_the_environment_saves_its_own_game(tmp_path):
    import copy

    env = impulse_env.impulse_v0.raw_env()
    with pytest.raises(AttributeError, match="before reset"):
        env.save_record(tmp_path / "no.jsonl")
    env.reset(seed=1)
    other = copy.deepcopy(env)
    other.step(other.action_space("player_0").sample(other.last()[0]["action_mask"]))
    for one, decisions in ((env, 0), (other, 1)):
        one.save_record(tmp_path / "one.jsonl")
        record = read(tmp_path / "one.jsonl")
        assert len(record.moves) == decisions
        assert record.result.end == "stopped"
        assert [agent.name for agent in record.header.agents] == ["player_0", "player_1"]


def test_the_gym_environment_saves_its_episode(tmp_path):
    env = ImpulseEnv(players=4, seat=2)
    env.reset(seed=5)
    for _ in range(2):  # the second game is not that of a seed given to `reset`
        env.reset()
        is_over = False
        while not is_over:
            *_, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
            is_over = terminated or truncated
        env.save_record(tmp_path / "gym.jsonl")
        record = read(tmp_path / "gym.jsonl")
        names = [agent.name for agent in record.header.agents]
        assert names == ["random_opponent"] * 2 + ["learner"] + ["random_opponent"]
        *_, last = record.games()
        assert last == env.game


def test_a_game_that_an_illegal_action_ended_is_recorded_up_to_it(tmp_path):
    env = impulse_env.impulse_v0.raw_env(illegal="terminate")
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    env.step(int(env.last()[0]["action_mask"].argmin()))
    env.save_record(tmp_path / "illegal.jsonl")
    record = read(tmp_path / "illegal.jsonl")
    assert len(record.moves) == 1
    assert record.result.end == "stopped"

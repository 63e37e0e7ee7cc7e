"""The benchmark for language models: requests, faults of a server, resumption, results."""

import itertools
import json
import os
import signal
from threading import Event
from time import perf_counter

import pytest

from commands import impulse, refusal, run_impulse
from impulse_agents.tasks import Task
from impulse_agents.tasks.task import packed, write_tasks
from impulse_env import Game
from impulse_env.testing.random_play import random_choice
from impulse_training.evaluation.text_benchmark.make import make_tasks, mixed, planned
from impulse_training.evaluation.text_benchmark.players import ModelError, ModelPlayer
from impulse_training.evaluation.text_benchmark.report import (
    by_level,
    by_table,
    level_table,
    table_table,
)
from impulse_training.evaluation.text_benchmark.run import Outcome, Settings, finished, play_tasks
from impulse_training.run.terminal.interrupt import Interrupt
from scripted_model import legal_reply, serving

SETTINGS = Settings("stub", "result", True, 2)


def tasks(count=4, players=2, **options):
    """Decisions about the card for the Impulse, with made-up chances."""
    made, table = [], f"{players}-" if players > 2 else ""
    for seed in range(count):
        game, choose = Game(players, seed, **options), random_choice(seed)
        while game.decision.kind != "add_impulse":
            game.step(choose(game))
        text, digest = packed(game)
        names = [game.name(action) for action in game.legal_actions()]
        chances = {name: 0.5 - 0.1 * place for place, name in enumerate(names)}
        fields = (f"{table}task-{seed}", 1, "decision", game.seat, seed, "greedy", text, digest)
        made.append(Task(*fields, "policy:2p", chances))
    return made


def played(folder, answer, count=4, player=None, **more):
    with serving(answer) as (url, requests):
        model = ModelPlayer(url, "stub", tries=2, **(player or {}))
        outcomes = play_tasks(tasks(count), model, SETTINGS, folder, Interrupt(), **more)
    return outcomes, requests


def test_a_model_is_asked_with_rules_and_the_position(tmp_path):
    outcomes, requests = played(tmp_path, legal_reply, player={"key": "k", "temperature": 0.5})
    assert [outcome.reward for outcome in outcomes] == [0.0] * 4
    assert {outcome.prompt_tokens for outcome in outcomes} == {10}
    path, key, request = requests[0]
    assert (path, key) == ("/v1/chat/completions", "Bearer k")
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("stub", 0.5, 1024)
    system, user = request["messages"]
    assert system["content"].startswith("# Impulse in one page")
    assert system["content"].endswith("Take this decision.\n")
    assert user["content"].startswith("Turn ")


def test_bad_replies_are_told_and_forfeit(tmp_path):
    outcomes, requests = played(tmp_path, lambda request, number: (200, "I pass."), count=1)
    assert (outcomes[0].reward, outcomes[0].refused, outcomes[0].forfeited) == (-1.0, 2, True)
    messages = requests[1][2]["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[-1]["content"].startswith("Refused: the reply has no action;")


def test_a_busy_server_is_asked_again(tmp_path):
    def answer(request, number):
        return (429, b"later") if number == 0 else legal_reply(request, number)

    outcomes, requests = played(tmp_path, answer, count=1)
    assert (len(outcomes), len(requests)) == (1, 2)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda *_: (401, b'{"error":\n"bad key"}'), 'it answered 401 .*: {"error": "bad key"}$'),
        (lambda *_: (500, b"no"), "cannot be asked: it answered 500"),
        (lambda *_: (200, b"<html>"), "cannot be asked: its answer is not JSON: <html>$"),
        (lambda *_: (200, b"\xff\x00"), "cannot be asked: its answer is not JSON: ..$"),
        (lambda *_: (200, b'{"choices": []}'), 'answered without a message: {"choices": ..}$'),
    ],
)
def test_a_server_that_fails_is_said_in_a_sentence(tmp_path, answer, message):
    with pytest.raises(ModelError, match=message):
        played(tmp_path, answer, count=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--levels 0 1", "--levels must be of 1, 2 and 3, not 0"),
        ("--levels 1 1", "levels must all be different, but 1 occurs twice"),
        ("--timeout 0", "--timeout must be a number of seconds above 0, not 0.0"),
        ("--timeout nan", "--timeout must be a number of seconds above 0, not nan"),
        ("--temperature -1", "--temperature must be 0 or more, not -1.0"),
        ("--temperature inf", "--temperature must be 0 or more, not inf"),
        ("--key-variable KEY", "the key in KEY has a character that no header may have"),
    ],
)
def test_options_out_of_range_are_refused(monkeypatch, tmp_path, capsys, options, message):
    monkeypatch.setenv("KEY", "secret\nkey")
    address = ("--base-url", "http://127.0.0.1:9", "--model", "m", "--out", tmp_path / "out")
    assert impulse("benchmark-text", *address, *options.split()) == 2
    assert refusal(capsys) == message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("key", ["k", " k\n"])
def test_a_key_is_sent_without_the_spaces_around_it(monkeypatch, tmp_path, key):
    monkeypatch.setenv("KEY", key)
    file = tmp_path / "tasks.jsonl"
    write_tasks(file, tasks(1))
    with serving(legal_reply) as (url, requests):
        address = ("--base-url", url, "--model", "m", "--key-variable", "KEY")
        assert impulse("benchmark-text", *address, "--tasks", file, "--out", tmp_path / "out") == 0
    assert [key for _, key, _ in requests] == ["Bearer k"]


def test_finished_tasks_survive_a_failure_and_are_not_played_again(tmp_path):
    def answer(request, number):
        return legal_reply(request, number) if number < 2 else (401, b"no")

    with pytest.raises(ModelError):
        played(tmp_path, answer)
    assert len(finished(tmp_path, SETTINGS, tasks())) == 2
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b'{"id": "cut')
    told = []
    outcomes, requests = played(
        tmp_path, legal_reply, at_once=2, tell=lambda done, of, newest: told.append((done, of))
    )
    assert (len(outcomes), len(requests)) == (4, 2)
    assert told == [(3, 4), (4, 4)]
    for other in (Settings("other", "result", True, 2), Settings("stub", "result", True, 2, 0.5)):
        name = "player stub" if other.player == "other" else "temperature None"
        with pytest.raises(ModelError, match=rf"has results with other settings \({name}\); name"):
            finished(tmp_path, other, tasks())
    results = (tmp_path / "results.jsonl").read_text()
    (tmp_path / "results.jsonl").write_text(results.replace(tasks()[0].digest, "f" * 16))
    with pytest.raises(ModelError, match="has a result of another task 'task-0'"):
        finished(tmp_path, SETTINGS, tasks())


def test_an_interrupt_begins_no_task(tmp_path):
    interrupt = Interrupt(is_requested=True)
    player = ModelPlayer("http://127.0.0.1:9", "stub")
    assert play_tasks(tasks(), player, SETTINGS, tmp_path, interrupt) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_second_ctrl_c_waits_for_no_task(tmp_path):
    is_over = Event()

    class Silent:
        def play(self, episode):
            os.kill(os.getpid(), signal.SIGINT)
            is_over.wait(60)

    before, start = signal.signal(signal.SIGINT, signal.default_int_handler), perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            play_tasks(tasks(), Silent(), SETTINGS, tmp_path, Interrupt())
    finally:
        signal.signal(signal.SIGINT, before)
        is_over.set()
    assert perf_counter() - start < 50


def test_results_are_means_with_intervals():
    outcomes = [
        Outcome(f"task-{place}", "0" * 16, 1, -0.1 * place, 0, False, 1, 10, 2)
        for place in range(4)
    ]
    figures = by_level(outcomes)[1]
    assert figures["reward"] == pytest.approx(-0.15)
    assert figures["half_interval"] == pytest.approx(1.96 * 0.1290994 / 2, abs=1e-4)
    assert figures["prompt_tokens"] == 40
    assert level_table("stub", by_level(outcomes)).rows == (
        ("1: decisions", "4", "-15.00 ± 12.65", "0", "0", "40", "8"),
    )


def test_results_are_told_by_table():
    made = [*tasks(2), *tasks(3, players=4, team_size=2)]
    outcomes = [
        Outcome(task.id, task.digest, task.level, -0.1 * place, 0, False, 1, 10, 2)
        for place, task in enumerate(made)
    ]
    found = by_table(made, outcomes)
    assert {name: levels[1]["tasks"] for name, levels in found.items()} == {"2p": 2, "4p-teams": 3}
    assert found["2p"] == by_level(outcomes[:2])
    assert table_table("stub", found).rows == (
        ("2p", "-5.00 ± 9.80"),
        ("4p-teams", "-30.00 ± 11.32"),
    )


TABLES = ("2p", "3p", "4p", "4p-teams", "5p", "6p")
DECISIONS = {f"{table}-decision-1" for table in TABLES}


def test_tasks_are_made_again_from_their_numbers():
    assert len(planned(0.002)) == 24
    assert len(planned(1)) == 1000
    lengths = ("decision", "turn", "race", "game")
    larger = {f"{table}-{length}-1" for table in TABLES[2:] for length in lengths}
    left_out = DECISIONS | larger
    made = list(make_tasks(0.002, 1, left_out))
    assert [task.id for task in made] == [
        f"{table}-{length}-1" for length in lengths[1:] for table in TABLES[:2]
    ]
    assert list(make_tasks(0.002, 1, left_out | {task.id for task in made[1:]})) == made[:1]
    assert sorted(task.id for task in mixed(made, 3)) == sorted(task.id for task in made)
    for task in made:
        assert task.start().seat == task.seat
    races = [task.start() for task in made if task.length == "race"]
    assert {int(game.state["target_score"]) for game in races} == {5}


@pytest.mark.slow
def test_a_decision_task_has_chances_of_all_its_lines():
    (task,) = itertools.islice(make_tasks(0.002, 2, DECISIONS - {"2p-decision-1"}), 1)
    assert task.id == "2p-decision-1"
    assert len(task.chances) == len(task.errors)
    assert all(0 <= chance <= 1 for chance in task.chances.values())


def test_the_command_measures_models_and_agents(tmp_path):
    file = tmp_path / "tasks.jsonl"
    write_tasks(file, tasks())
    with serving(legal_reply) as (url, requests):
        model = ["--base-url", url, "--model", "a/b", "--tasks", str(file), "--levels", "1"]
        out = ["--out", str(tmp_path / "model"), "--json"]
        first = json.loads(run_impulse("benchmark-text", *model, *out).stdout)
        again = json.loads(run_impulse("benchmark-text", *model, *out).stdout)
        hotter = run_impulse("benchmark-text", *model, *out, "--temperature", "0.5")
    assert "other settings (temperature 0.0); name another folder with --out" in hotter.stderr
    assert first == again
    assert first["levels"]["1"]["tasks"] == len(requests) == 4
    assert first["tables"] == {"2p": first["levels"]}
    agent = ["--agent", "random", "--tasks", str(file), "--most", "3", "--out"]
    text = run_impulse("benchmark-text", *agent, str(tmp_path / "agent")).stdout
    assert "3 of 3" in text
    assert "Impulse text: random" in text
    assert "Impulse text by table: random" in text

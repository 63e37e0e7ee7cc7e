"""Tasks: files, episodes of every length, rewards, refusals and forfeits."""

import base64
import zlib

import msgspec
import numpy as np
import pytest

from impulse_agents import registry
from impulse_agents.base import AgentError
from impulse_agents.tasks import Episode, Task, TaskError, read_tasks, shipped_tasks
from impulse_agents.tasks.lines import is_continued, judged, line_by, lines_of
from impulse_agents.tasks.task import append_task, drop_cut_line, packed, write_tasks
from impulse_env import Game
from impulse_env.language import Call
from impulse_env.language.calls import choices, written
from impulse_env.testing.random_play import random_choice


def game_at(kind, players=2, seed=5, least=2):
    """A game at a decision of a kind with a few choices, played at random until then."""
    for number in range(seed, seed + 50):
        game, choose = Game(players=players, seed=number), random_choice(number)
        while game.seat is not None and game.turn < 30:
            if game.decision.kind == kind and len(game.legal_actions()) >= least:
                return game
            game.step(choose(game))
    raise AssertionError(kind)


def task_of(game, length, **fields):
    text, digest = packed(game)
    level = {"decision": 1, "turn": 2}.get(length, 3)
    fields = {"id": "one", "opponents": "greedy", "seed": 3, **fields}
    return Task(level=level, length=length, seat=game.seat, game=text, digest=digest, **fields)


def first_reply(episode):
    choice = choices(episode.game.state, episode.game.legal_actions())[0]
    return written(choice.verb, {choice.argument: choice.values[0]} if choice.values else {})


def decision():
    """A decision whose last choice is worth most."""
    game = game_at("add_impulse", least=3)
    names = [game.name(action) for action in game.legal_actions()]
    chances = {name: 0.2 + 0.1 * place for place, name in enumerate(names)}
    return game, task_of(game, "decision", judge="policy:2p", chances=chances)


# --- Episodes -----------------------------------------------------------------------------------


def test_a_decision_costs_what_its_choice_gives_away():
    game, task = decision()
    cards = [game.name(action).split()[1] for action in game.legal_actions()]
    best = len(cards) - 1
    for place, card in enumerate(cards):
        episode = Episode(task)
        assert episode.seat == task.seat
        assert f"Legal: add_to_impulse(card={'|'.join(cards)})" in episode.prompt()
        episode.reply(f"I add it.\nadd_to_impulse(card={card})")
        assert episode.seat is None
        assert episode.rewards == {task.seat: pytest.approx(-0.1 * (best - place))}
    with pytest.raises(AgentError, match="the episode is over: begin another"):
        episode.reply("pass()")


def test_a_call_of_several_decisions_is_one_line():
    game = game_at("choose_fleet")
    lines = lines_of(game, 100)
    assert lines is not None
    assert max(map(len, lines)) > 1
    longest = max(lines, key=len)
    names = ["; ".join(game.name(action) for action in line) for line in lines]
    chances = dict.fromkeys(names, 0.5) | {names[lines.index(longest)]: 0.75}
    episode = Episode(task_of(game, "decision", judge="policy:2p", chances=chances))
    for action in longest:
        assert episode.seat is not None
        episode.take(action)
    assert episode.rewards == {episode.task.seat: 0.0}
    assert lines_of(game, 1) is None


def test_every_line_ends_where_another_decision_begins():
    for kind in ("choose_fleet", "build_location", "add_impulse"):
        game = game_at(kind)
        lines = lines_of(game, 500)
        assert lines is not None
        for line in lines:
            at = game.copy()
            for place, action in enumerate(line):
                before = at.copy()
                at.step(action)
                assert is_continued(before, at) == (place < len(line) - 1)


def test_a_turn_is_compared_with_the_judges_own_choices():
    game = game_at("add_impulse", seed=9)
    judge = registry.make("policy:2p")
    task = task_of(game, "turn", judge="policy:2p")
    episode = Episode(task)
    while episode.seat is not None:
        for action in line_by(judge, episode.game, np.random.default_rng(0)):
            episode.take(action)
    assert episode.rewards == {task.seat: 0.0}
    assert episode.game.turn > game.turn or episode.game.is_over
    episode = Episode(task)
    while episode.seat is not None:
        episode.reply(first_reply(episode))
    assert -2 < episode.rewards[task.seat] < 0.5
    assert episode.rewards[task.seat] != 0


def test_all_lines_are_judged_in_the_same_worlds():
    game = game_at("add_impulse")
    judge = registry.make("policy:2p")
    lines = lines_of(game, 100)
    chances = judged(judge, game, lines, 4, 7)
    assert chances.shape == (len(lines), 4)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert np.array_equal(judged(judge, game, lines[::-1], 4, 7), chances[::-1])


@pytest.mark.parametrize("reward", ["result", "adjusted"])
def test_a_race_ends_at_its_points_and_its_reward_follows_the_winner(reward):
    state = game_at("add_impulse", players=3, seed=2).state.copy()
    state["score"] = 0
    state["points"] = 0
    state["target_score"] = 5
    task = task_of(Game.from_state(state), "race", opponents="core_rush")
    rewards = {}
    for seats in ((), (0, 1, 2)):
        episode = Episode(task, seats=seats, reward=reward)
        while episode.seat is not None:
            episode.reply(first_reply(episode))
        assert max(episode.game.scores) >= 5 or episode.game.is_truncated
        rewards[len(episode.rewards)] = episode
        if reward == "result":
            won = {seat: float(seat in episode.game.winners) for seat in episode.seats}
            assert episode.rewards == won
    everybody = rewards[3].rewards
    assert sum(everybody.values()) == pytest.approx(1, abs=1e-6)  # luck has the sum 0


def test_equal_replies_give_equal_episodes():
    task = task_of(game_at("add_impulse", players=4, seed=3), "turn", judge="policy:4p")
    ends = []
    for _ in range(2):
        episode = Episode(task)
        while episode.seat is not None:
            episode.reply(first_reply(episode))
        ends.append((episode.game.to_bytes(), episode.rewards))
    assert ends[0] == ends[1]


# --- Refusals -----------------------------------------------------------------------------------


def test_bad_replies_in_a_row_forfeit_and_pay_nothing():
    game, task = decision()
    episode = Episode(task, bad_replies=2, with_legal=False)
    before = episode.game.to_bytes()
    assert "Legal:" not in episode.prompt()
    episode.reply("I do not know.")
    assert episode.prompt().startswith(
        "Refused: the reply has no action; end it with one such as add_to_impulse(card=5) or "
        "pass(). 1 bad reply more, and you forfeit."
    )
    episode.act(Call("pass", {}))
    assert "legal:" not in episode.note
    assert episode.game.to_bytes() == before
    assert (episode.seat, episode.forfeited, episode.refused) == (None, game.seat, 2)
    assert episode.rewards == {task.seat: -1.0}
    assert episode.prompt().endswith("The episode is over.")


@pytest.mark.parametrize(("reward", "least"), [("result", 0.0), ("adjusted", -1.0)])
def test_a_forfeit_loses_a_game_for_one_seat_alone(reward, least):
    task = task_of(game_at("add_impulse", players=3), "game")
    episode = Episode(task, seats=(0, 1, 2), reward=reward, bad_replies=1)
    loser = episode.seat
    episode.reply("?")
    assert episode.rewards == {seat: least if seat == loser else 0.5 for seat in range(3)}


def test_a_good_reply_forgives_the_bad_ones():
    episode = Episode(task_of(game_at("add_impulse", seed=9), "turn", judge="policy:2p"))
    for _ in range(5):
        if episode.seat is None:
            break
        episode.reply("?")
        episode.reply("?")
        episode.reply(first_reply(episode))
    assert episode.forfeited is None
    assert episode.refused >= 4


# --- Files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tasks.jsonl", "tasks.jsonl.gz"])
def test_files_give_back_their_tasks(tmp_path, name):
    _, task = decision()
    other = msgspec.structs.replace(task, id="two")
    write_tasks(tmp_path / name, [task, other])
    assert read_tasks(tmp_path / name) == [task, other]
    content = (tmp_path / name).read_bytes()
    write_tasks(tmp_path / name, [task, other])
    assert (tmp_path / name).read_bytes() == content


def test_a_line_that_was_cut_off_is_dropped(tmp_path):
    _, task = decision()
    path = tmp_path / "tasks.made"
    drop_cut_line(path)
    append_task(path, task)
    with path.open("ab") as file:
        file.write(b'{"id": "tw')
    drop_cut_line(path)
    assert read_tasks(path) == [task]


def test_damaged_files_and_tasks_are_refused(tmp_path):
    _, task = decision()
    path = tmp_path / "tasks.jsonl"
    write_tasks(path, [task, task])
    with pytest.raises(TaskError, match=r"line 2: there are two tasks 'one'"):
        read_tasks(path)
    path.write_text('{"id": 5}\n')
    with pytest.raises(TaskError, match=r"line 1: .*text"):
        read_tasks(path)
    with pytest.raises(TaskError, match="cannot be read"):
        read_tasks(tmp_path / "none.jsonl")
    replace = msgspec.structs.replace
    bomb = base64.b64encode(zlib.compress(bytes(1 << 20))).decode()
    for fields, message in [
        ({"game": "?"}, "its game cannot be read"),
        ({"game": bomb}, "its game cannot be read"),
        ({"digest": "0" * 16}, "its digest does not match its game"),
        ({"seat": 1 - task.seat}, f"seat {task.seat} decides, not {1 - task.seat}"),
    ]:
        with pytest.raises(TaskError, match=f"task one: .*{message}"):
            Episode(replace(task, **fields))
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        Episode(replace(task, opponents="nobody"))
    with pytest.raises(AgentError, match=r"seats must be from 0 to 1, not \(2,\)"):
        Episode(task, seats=(2,))


def test_the_shipped_tasks_can_be_played():
    tasks = shipped_tasks()
    assert len(tasks) == 1000
    assert len({task.id for task in tasks}) == 1000
    assert {task.level for task in tasks} == {1, 2, 3}
    for task in tasks[::25]:
        game = task.start()
        if task.length == "decision":
            lines = lines_of(game, 100)
            assert lines is not None
            names = ["; ".join(map(game.name, line)) for line in lines]
            assert list(task.chances) == names
            assert len(task.errors) == len(names)
            assert max(task.chances.values()) - min(task.chances.values()) >= 0.04
    players = {task.start().players for task in tasks[:200]}
    assert players == {2, 3, 4, 5, 6}

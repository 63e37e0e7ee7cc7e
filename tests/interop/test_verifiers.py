"""The example for verifiers: its tasks, and its environment with players that follow a script."""

import asyncio
import re
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from impulse_agents.tasks import Episode, read_tasks
from paths import ROOT

vf = pytest.importorskip("verifiers.v1")
pytestmark = pytest.mark.interop
EXAMPLE = ROOT / "docs/examples/verifiers"


@pytest.fixture(autouse=True)
def example(monkeypatch, tasks_file):
    """The example's folder is where Python looks for modules; its tasks are short races."""
    import impulse_agents.tasks.task as module

    monkeypatch.syspath_prepend(str(EXAMPLE))
    monkeypatch.setattr(module, "SHIPPED", tasks_file)


def environment(**taskset):
    from verifiers.v1.utils.loaders import load_environment, resolve_env_config

    config = resolve_env_config({"taskset": {"id": "impulse-verifiers", **taskset}})
    return load_environment(config)


class Player:
    """Takes the place of an agent of verifiers; replies by a function of the last message."""

    def __init__(self, reply, most_turns=1000):
        self.reply, self.most_turns, self.heard = reply, most_turns, []
        self.trace = vf.Trace[vf.TaskData, vf.State].model_construct(rewards={}, metrics={})

    @asynccontextmanager
    async def interaction(self, task):
        self.heard.append(task.data.prompt)
        yield self

    async def turn(self, message=None):
        self.heard += [] if message is None else [message]
        if len(self.heard) > self.most_turns:
            return vf.Segment(messages=[], terminated=True)
        return vf.Segment(messages=[], root_reply=self.reply(self.heard[-1]))


def first_legal(text):
    return re.search(r"Legal: (\w+\((?:\w+=[\w-]+)?)", text)[1] + ")"


def played(env, task, player):
    asyncio.run(env.run(task, SimpleNamespace(player=player)))
    trace = player.trace
    return trace.reward, dict(trace.metrics)


def test_the_page_lists_tasks(shown):
    assert shown["task"].data.name == "race-2"


def test_tasks_are_those_of_the_file_and_traces_have_no_hidden_card(tasks_file):
    tasks = list(environment(path=str(tasks_file)).taskset)
    assert [task.key for task in tasks] == [task.id for task in read_tasks(tasks_file)]
    for task, original in zip(tasks, read_tasks(tasks_file), strict=True):
        assert task.data.prompt == Episode(original).prompt()
        assert original.game not in task.data.model_dump_json()
        assert asyncio.run(task.validate(None))
    assert not list(environment(lengths=["turn"]).taskset)


def test_an_episode_is_played_to_its_end_with_its_reward(tasks_file):
    env = environment(path=str(tasks_file))
    task = next(iter(env.taskset))
    player = Player(first_legal)
    reward, metrics = played(env, task, player)
    episode = Episode(read_tasks(tasks_file)[0])
    for heard in player.heard:
        assert heard == episode.prompt()
        episode.reply(first_legal(heard))
    assert reward == episode.rewards[episode.task.seat]
    assert metrics == {"refused": 0, "forfeited": 0}


@pytest.mark.parametrize("player", [Player(lambda _: "hello"), Player(first_legal, 2)])
def test_who_replies_badly_or_leaves_early_forfeits(player, tasks_file):
    env = environment(path=str(tasks_file))
    reward, metrics = played(env, next(iter(env.taskset)), player)
    assert reward == -1
    assert metrics["forfeited"] == 1
    assert metrics["refused"] == 3

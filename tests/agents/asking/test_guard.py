"""Agents in a process of their own: those that hang, hoard or die are ended, and others play on."""

from contextlib import ExitStack

import numpy as np
import pytest

from faulty_agents import FAULTY
from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_batch, ask_in_game
from impulse_agents.asking.faults import AgentFaultError
from impulse_agents.asking.guard import guarded
from impulse_agents.asking.limits import LimitError, Limits
from impulse_agents.base import AgentError
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.game import Game
from impulse_env.options import Options

FAULTS = {
    "Raises": ("error", "ValueError: boom"),
    "Quits": ("error", "SystemExit: 0"),
    "Nothing": ("type", "not object of shape"),
    "Hangs": ("time", "it took longer than 0.5 seconds"),
    "Deaf": ("time", "it took longer than 0.5 seconds"),
    "Hoards": ("memory", "MemoryError"),
    "Dies": ("died", r"died \(exit code 3\)"),
}
HEALTHY = ("greedy", "random")
LIMITS = Limits(time=0.5, memory=0.5)


@pytest.fixture(scope="module")
def agents():
    """The faulty agents and healthy ones, by their names, in one process."""
    names = [*(f"{FAULTY}:{kind}" for kind in FAULTS), *HEALTHY, f"{FAULTY}:Slow"]
    with guarded([registry.make(name) for name in names], LIMITS, Options()) as asked:
        yield dict(zip([*FAULTS, *HEALTHY, "Slow"], asked, strict=True))


@pytest.fixture
def late():
    game = Game(seed=3)
    while game.turn < 2:
        game.step(game.legal_actions()[0])
    return game


def test_an_agent_answers_there_as_it_does_here(agents, late):
    batch, rows = GameBatch(Options(), range(20)), np.arange(20)
    for name in HEALTHY:
        answers, states = [], []
        for agent in (agents[name], registry.make(name)):
            streams, rng = RngStreams.from_seeds(range(20)), np.random.default_rng(5)
            answers.append((*ask_in_batch(agent, batch, rows, streams, rows),))
            answers[-1] += ask_in_game(agent, late, rng), rng.random()
            states.append(streams.states.tolist())
        assert answers[0] == answers[1]
        assert states[0] == states[1]


@pytest.mark.parametrize(
    "kind",
    [pytest.param(k, marks=pytest.mark.slow if k in ("Deaf", "Hoards") else ()) for k in FAULTS],
)
def test_a_fault_in_the_process_is_reported_and_the_next_is_asked(kind, agents, late):
    fault, detail = FAULTS[kind]
    with pytest.raises(AgentFaultError, match=detail) as error:
        ask_in_game(agents[kind], late, np.random.default_rng(0))
    assert (error.value.fault.kind, error.value.fault.agent) == (fault, f"{FAULTY}:{kind}")
    assert ask_in_game(agents["random"], late, np.random.default_rng(0)) in late.legal_actions()


def test_the_time_of_a_game_counts_too(late):
    with ExitStack() as opened:
        made = [registry.make(f"{FAULTY}:Slow")]
        (slow,) = opened.enter_context(guarded(made, Limits(game_time=1.0), Options()))
        ask_in_game(slow, late, np.random.default_rng(0))
        slow.used = 0.95
        with pytest.raises(AgentFaultError, match=r"it took longer than 0.05 seconds"):
            ask_in_game(slow, late, np.random.default_rng(0))


def test_without_limits_agents_stay_where_they_are():
    made = [registry.make("random")]
    with guarded(made, Limits(), Options()) as asked:
        assert asked is made


def test_an_agent_that_plays_no_such_games_is_refused_at_the_start(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from impulse_agents.base import AgentError\n"
        "from impulse_agents.heuristics.random_agent import RandomAgent\n"
        "class Elsewhere(RandomAgent):\n"
        "    def act(self, seen, streams):\n"
        "        raise AgentError('made for another table')\n"
    )
    with (
        pytest.raises(AgentError, match="made for another table"),
        guarded([registry.make(f"{path}:Elsewhere")], Limits(time=1), Options()),
    ):
        pass


@pytest.mark.parametrize("limits", [{"time": 0}, {"game_time": -1.0}, {"memory": float("nan")}])
def test_an_invalid_limit_is_refused(limits):
    with pytest.raises(LimitError, match="-limit must be above 0, not"):
        Limits(**limits)

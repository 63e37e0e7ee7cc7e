"""Whatever an agent does in place of deciding is one fault, which names it."""

import random

import numpy as np
import pytest
import torch

import faulty_agents
from impulse_agents.asking.ask import ask, ask_in_batch, ask_in_game, warm
from impulse_agents.asking.faults import AgentFaultError
from impulse_agents.base import AgentError
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.game import Game
from impulse_env.options import Options

FAULTS = [
    ("Raises", "error", "ValueError: boom"),
    ("Quits", "error", "SystemExit: 0"),
    ("Nothing", "type", "an agent must return an integer for each game"),
    ("Floats", "type", r"must be integers of shape \(1,\), not float64 of shape \(1,\)"),
    ("Illegal", "illegal", r"illegal action \d+ \(.*\); legal are: "),
    ("Negative", "illegal", "action -"),
    ("Hungry", "memory", "MemoryError"),
]


def late(game):
    """Play a game at random until the faulty agents show what is wrong with them."""
    while game.turn < 2:
        game.step(game.legal_actions()[0])
    return game


@pytest.mark.parametrize(("kind", "fault", "detail"), FAULTS)
def test_every_way_to_fail_is_a_fault_that_names_the_agent(kind, fault, detail):
    agent = getattr(faulty_agents, kind)()
    agent.name = f"mine.py:{kind}"
    game = late(Game(seed=3))
    batch = GameBatch.of_states(Options(), np.array([game.state]))
    only, rng = np.arange(1), np.random.default_rng(1)
    for asked in (
        lambda: ask_in_game(agent, game, rng),
        lambda: ask_in_batch(agent, batch, only, RngStreams.from_seeds([1]), only),
    ):
        with pytest.raises(AgentFaultError, match=rf"agent mine.py:{kind} failed: .*{detail}") as e:
            asked()
        assert e.value.fault.kind == fault
        assert "Traceback" in e.value.fault.traceback


@pytest.mark.parametrize(
    "answer", [True, np.True_, 1.0, None, "1", [1], np.ones(1), np.ones(2, int)]
)
def test_an_answer_for_a_game_that_is_no_integer_is_a_fault(answer):
    class Odd(RandomAgent):
        def act_in_game(self, game, rng):
            return answer

    with pytest.raises(AgentFaultError, match="must return an integer, not") as error:
        ask_in_game(Odd(), Game(seed=0), np.random.default_rng(0))
    assert error.value.fault.kind == "type"


def test_an_array_of_one_integer_is_an_answer_as_for_the_environments():
    class Wrapped(RandomAgent):
        def act_in_game(self, game, rng):
            return np.array([super().act_in_game(game, rng)])

    game = Game(seed=0)
    assert ask_in_game(Wrapped(), game, np.random.default_rng(0)) in game.legal_actions()


def test_an_agent_is_handed_the_view_of_its_seat():
    class Curious(RandomAgent):
        def act_in_game(self, game, rng):
            self.shown = game.state.tobytes()
            return super().act_in_game(game, rng)

    game, agent = Game(seed=2), Curious()
    ask_in_game(agent, game, np.random.default_rng(0))
    assert agent.shown == game.view(game.seat).state.tobytes() != game.state.tobytes()


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (KeyboardInterrupt(), None),
        (AgentError("made for another table"), "random: made for another table"),
        (AgentError("random plays elsewhere"), "^random plays elsewhere"),
    ],
)
def test_an_interrupt_and_a_refusal_are_no_faults(raised, message):
    class Refuses(RandomAgent):
        name = "random"

        def act(self, seen, streams):
            raise raised

    with pytest.raises(type(raised), match=message) as error:
        warm([Refuses()], Options())
    assert not isinstance(error.value, AgentFaultError)


def test_what_an_agent_prints_is_no_result(capsys):
    ask_in_game(faulty_agents.Prints(), Game(seed=0), np.random.default_rng(0))
    told = capsys.readouterr()
    assert "asked" not in told.out
    assert "asked" in told.err


def test_a_global_random_state_is_the_agents_own():
    class Drawing(RandomAgent):
        def draw(self):
            return random.random(), np.random.random(), float(torch.rand(1))  # noqa: NPY002

    def drawn(other):
        random.seed(7)
        np.random.seed(7)  # noqa: NPY002
        torch.manual_seed(7)
        if other is not None:
            ask_in_game(other, Game(seed=0), np.random.default_rng(0))
        return Drawing().draw()

    assert drawn(faulty_agents.Reseeds()) == drawn(None)
    agent = Drawing()
    assert len({ask(agent, agent.draw) for _ in range(3)}) == 3

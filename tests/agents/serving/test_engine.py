"""An agent as a program: it plays as it does here, and answers every wrong line with a sentence."""

import io
import json
import random
import sys

import numpy as np
import pytest

from commands import PROGRAM, impulse, run_impulse
from faulty_agents import FAULTY
from impulse_agents import registry
from impulse_agents.base import ObservationBatch
from impulse_agents.protocol.messages import MOST_LINE
from impulse_agents.protocol.questions import question
from impulse_agents.serving.engine import Engine, serve
from impulse_env.game import Game


def asked(game, number=1, info=None):
    seen = ObservationBatch.from_game(game)
    return question(seen, 0, 7, 1, True, frozenset(["world"]), info).line(number).strip().encode()


def talk(agent, *lines):
    """What an engine answers to some lines."""
    out = io.BytesIO()
    serve(registry.make(agent), io.BytesIO(b"\n".join(lines) + b"\n"), out, 60.0)
    return list(map(json.loads, out.getvalue().splitlines()))


def test_an_engine_says_who_it_is_and_quits():
    hello, options = b'{"type":"hello","protocol":1}', b'{"type":"options","wants":["world"]}'
    quits = b'{"type":"quit"}'
    (ready,) = talk("greedy", hello, options, b'{"type":"stop"}', quits, hello)
    assert (ready["type"], ready["protocol"], ready["name"]) == ("hello", 1, "greedy")
    assert (ready["wants"], ready["players"], ready["seconds"]) == (["world"], [2, 3, 4, 5, 6], 60)


@pytest.mark.parametrize("players", [2, 4])
def test_an_engine_decides_as_its_agent(players):
    agent, game, rng = registry.make("miner"), Game(players, 3), np.random.default_rng(7)
    engine = Engine(agent, 60.0)
    for number in range(60):
        seen = ObservationBatch.from_game(game)
        (*_, answer) = engine.answers(question(seen, 0, 7, 1, False, {"world"}).line(number))
        assert answer.action == game.name(agent.act_in_game(game, np.random.default_rng(7)))
        game.step(answer.action)
        if rng.random() < 0.2 and game.seat is not None:
            game.step(game.legal_actions()[-1])


def test_an_engine_gives_chances_and_lines_of_a_search():
    game = Game(seed=1)
    info, answer = talk("ismcts:20", asked(game, 4, ("chances", 2)))
    assert info["type"] == "info"
    assert 0 < info["wins"] < 1
    assert len(info["shares"]) == 2
    assert (answer["id"], answer["action"]) == (4, next(iter(info["shares"])))
    info, answer = talk("ismcts:20", asked(game, 5, ("lines", 2)))
    assert len(info["lines"]) == 2
    assert answer["action"] == info["lines"][0]["actions"][0]


def test_an_agent_that_does_not_search_ignores_the_question():
    info, answer = talk("greedy", asked(Game(seed=1), 4, ("lines", 2)))
    assert info["lines"] is None
    assert answer["id"] == 4


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"?", "it is not JSON"),
        (b'{"type":"hello","protocol":7}', "this engine speaks protocol 1, not 7"),
        (b'{"type":"options"}', "this engine needs a world with each decision"),
        (b'{"type":"choose","id":3,"legal":["pass"]}', "the decision has no world"),
        (b'{"type":"choose","id":3,"legal":["pass"],"world":"?"}', "the world must be in base64"),
        (b'{"type":"choose","id":3,"legal":["pass"],"world":"AAAA"}', "these 3 bytes are not a"),
        (b"x" * (2 * MOST_LINE), "a line must have at most"),
    ],
)
def test_a_wrong_line_gets_a_sentence_and_the_engine_goes_on(line, sentence):
    error, answer = talk("greedy", line, asked(Game(seed=1), 9))
    assert error["type"] == "error"
    assert error["message"].startswith(sentence)
    assert error["id"] == (3 if b'"id":3' in line else None)
    assert (answer["type"], answer["id"]) == ("action", 9)


def test_a_fault_of_the_agent_is_an_error_line():
    game = Game(seed=3)
    while game.turn < 2:
        game.step(game.legal_actions()[0])
    (error,) = talk(f"{FAULTY}:Raises", asked(game, 6))
    assert (error["id"], error["message"]) == (6, f"agent {FAULTY}:Raises failed: ValueError: boom")


def test_a_damaged_world_is_refused():
    engine, rng, line = Engine(registry.make("random"), 60.0), random.Random(3), asked(Game(seed=1))
    start = line.index(b'"world":"') + 9
    for _ in range(300):
        content = bytearray(line)
        content[rng.randrange(start, len(content) - 3)] = rng.choice(b"ABCDwxyz0189+/")
        for answer in engine.answers(bytes(content)):
            assert json.dumps(str(answer))


LAST = """
from impulse_agents import Agent


class Last(Agent):
    def act(self, seen, streams):
        return seen.masks.shape[1] - 1 - seen.masks[:, ::-1].argmax(axis=1)
"""


def test_an_engine_is_an_agent_again(tmp_path):
    file = tmp_path / "last.py"
    file.write_text(LAST, encoding="utf-8")
    agent = registry.make(f"cmd:{' '.join(PROGRAM)} engine {file}:Last")
    last, rng, game = registry.make(f"{file}:Last"), np.random.default_rng(1), Game(3, 5)
    for _ in range(20):
        action = agent.act_in_game(game, rng)
        assert action == last.act_in_game(game, rng)
        game.step(action)
    agent.close()


def test_the_command_refuses_what_it_cannot_serve(capsys):
    assert impulse("engine", "nobody") == 2
    assert impulse("engine", "greedy", "--seconds", "0") == 2
    assert "seconds must be above 0 and at most 3600, not 0" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_answers_on_standard_output_alone():
    done = run_impulse("engine", "random", input='{"type":"hello","protocol":1}\n')
    assert done.returncode == 0
    assert json.loads(done.stdout)["name"] == "random"
    assert sys.getdefaultencoding() == "utf-8"

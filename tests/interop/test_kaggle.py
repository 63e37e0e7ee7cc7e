"""The example for kaggle-environments: its game, and its harness with scripted models."""

import os
import re
from types import SimpleNamespace

import numpy as np
import pytest

from impulse_env.language import legal_calls
from paths import ROOT

# Its library for models asks the network for prices otherwise.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
kaggle = pytest.importorskip("kaggle_environments")
pytestmark = [
    pytest.mark.interop,
    # Its libraries warn of one another.
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
EXAMPLE = ROOT / "docs/examples/kaggle"


@pytest.fixture(autouse=True)
def example(monkeypatch):
    """The example's folder is where Python looks for modules."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import impulse_kaggle

    return impulse_kaggle


@pytest.fixture
def model(monkeypatch):
    """Takes the place of a language model: `model.reply` answers its prompts, which it notes."""
    from kaggle_environments import core_harness

    stub = SimpleNamespace(prompts=[], reply=None)

    def completion(messages, **options):
        stub.prompts.append(messages[0]["content"])
        delta = SimpleNamespace(content=stub.reply(stub.prompts[-1]))
        yield SimpleNamespace(
            choices=[SimpleNamespace(delta=delta, finish_reason="stop")], usage=None
        )

    monkeypatch.setattr(core_harness.litellm, "completion", completion)
    return stub


def first_legal(env):
    """The first legal call of the running game, e.g. ``trade(card=5)``."""
    return re.sub(r"\|[^)]*", "", legal_calls(env.episode.game)[0])


def players(example, count):
    return [example.agent(model_override=("stub", {})) for _ in range(count)]


def made(seed=3):
    return kaggle.make("impulse", {"length": "race", "seed": seed}, debug=True)


def test_the_page_plays_a_race_to_its_end(shown):
    assert sorted(shown["rewards"]) == [0, 0, 1]


def test_models_play_a_race_without_lists_of_legal_moves(example, model):
    env = made()
    model.reply = lambda _: f"I think aloud.\n{first_legal(env)}"
    last = env.run(players(example, 3))[-1]
    assert [agent.status for agent in last] == ["DONE"] * 3
    assert sorted(agent.reward for agent in last) == [0, 0, 1]
    assert {agent.observation.isTerminal for agent in last} == {True}
    assert len(model.prompts) > 30
    for prompt in model.prompts:
        assert "legal:" not in prompt.lower()
        assert "I think aloud" not in prompt
    assert (
        "I think aloud"
        in env.steps[-1][env.steps[-2][0].observation.currentPlayer].action["thoughts"]
    )
    assert "points win" in env.render(mode="ansi")
    assert "publicString" in env.render(mode="html")


def test_games_of_a_seed_are_equal():
    def views(seed):
        env = made(seed)
        return [agent.observation.observationString for agent in env.reset(2)]

    assert views(3) == views(3)
    assert views(3) != views(4)


def test_observations_show_nothing_hidden(example):
    env, rng = made(), np.random.default_rng(1)
    env.reset(3)
    while not env.done and len(env.steps) < 60:
        episode = env.episode
        game, seat = episode.game, episode.seat
        seen = [agent.observation for agent in env.state]
        episode.game = game.determinize(seat, rng)
        assert episode.game.to_bytes() != game.to_bytes()
        assert seen[seat].observationString == episode.prompt()
        again = kaggle.utils.structify([dict(agent) for agent in env.state])
        example.show(again, episode)
        assert again[0].observation.publicString == seen[0].publicString
        episode.game = game
        assert [one.observationString for one in seen if one.playerId != seat] == ["", ""]
        env.step([{"submission": first_legal(env)}] * 3)
    assert len(env.steps) == 60


def test_an_illegal_reply_changes_nothing_and_three_forfeit(example, model):
    env = made()
    model.reply = lambda _: "move_fleet(from=1, to=19)"
    env.reset(2)
    loser, before = env.episode.seat, env.episode.game.to_bytes()
    steps = env.run(players(example, 2))
    assert env.episode.game.to_bytes() == before
    assert len(steps) == 4
    assert "Refused: move_fleet" in model.prompts[1]
    assert "1 bad reply more" in model.prompts[2]
    assert steps[-1][loser].reward == 0
    assert steps[-1][1 - loser].reward == 1
    assert env.episode.forfeited == loser


def test_exhausted_retries_forfeit(example, model):
    env = made()
    model.reply = lambda _: "I pass."
    env.reset(2)
    loser = env.episode.seat
    steps = env.run(players(example, 2))
    assert len(steps) == 2
    assert len(model.prompts) == 2
    assert "Your reply was refused: the reply has no action" in model.prompts[1]
    assert steps[-1][loser].action["submission"] == -1
    assert [agent.status for agent in steps[-1]] == ["DONE"] * 2
    assert (steps[-1][loser].reward, steps[-1][1 - loser].reward) == (0, 1)


def test_a_game_in_which_a_program_fails_does_not_count():
    def failing(observation, configuration):
        raise RuntimeError("no network")

    env = kaggle.make("impulse", {"seed": 3})
    last = env.run([failing] * 3)[-1]
    assert [agent.status for agent in last] == ["ERROR"] * 3
    assert [agent.reward for agent in last] == [None] * 3
    # With `debug=True`, the exception ends the program.
    with pytest.raises(RuntimeError, match="no network"):
        made().run([failing] * 3)


def test_an_action_that_is_no_text_forfeits():
    for action in ({"submission": 7}, {"submission": None}, {}, 5):
        env = made()
        env.reset(2)
        loser = env.episode.seat
        last = env.step([action] * 2)
        assert [agent.status for agent in last] == ["DONE"] * 2
        assert (last[loser].reward, last[1 - loser].reward) == (0, 1)


def test_its_own_wrapper_takes_the_module_as_a_harness(model, monkeypatch):
    from kaggle_environments.local_harness_runner import _wrap_module_harness

    env = made()
    model.reply = lambda _: first_legal(env)
    for name in ("MODEL_NAME", "MODEL_PROXY_KEY"):
        monkeypatch.setenv(name, "stub")
    monkeypatch.setenv("MODEL_PROXY_URL", "dummy_url")
    wrapped = _wrap_module_harness(str(EXAMPLE / "impulse_kaggle.py"))
    steps = env.run([wrapped] * 2)
    assert [agent.status for agent in steps[-1]] == ["DONE"] * 2
    assert sorted(agent.reward for agent in steps[-1]) == [0, 1]

"""The example for TextArena: a game that all seats play by text."""

import random

import numpy as np
import pytest

from impulse_env.language.calls import choices
from paths import ROOT

ta = pytest.importorskip("textarena")
pytestmark = pytest.mark.interop
EXAMPLE = ROOT / "docs/examples/textarena"


@pytest.fixture(autouse=True)
def example(monkeypatch):
    """The example's folder is where Python looks for modules."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import impulse_textarena

    return impulse_textarena


def begun(seed=3, **options):
    env = ta.make("Impulse-v0-race", **options)
    env.reset(num_players=2, seed=seed)
    return env


def test_the_page_plays_a_race_to_its_end(shown):
    assert sorted(shown["rewards"].values()) == [0, 0, 1]
    assert {row["invalid_move"] for row in shown["game_info"].values()} == {False}


def test_games_of_a_seed_are_equal():
    views = {begun().get_observation() for _ in range(2)}
    assert len(views) == 1
    assert views != {begun(seed=4).get_observation()}


def test_players_see_no_text_of_others_and_nothing_hidden():
    env, rng, seen = begun(with_legal=False), np.random.default_rng(1), 0
    for _ in range(60):
        game = env.episode.game
        player, text = env.get_observation()
        assert "hidden thought" not in text
        assert "Legal" not in text
        drawn = game.determinize(player, rng)
        env.episode.game, kept = drawn, game
        assert text.endswith(env.episode.prompt())
        env.episode.game = kept
        choice = choices(game.state, game.legal_actions())[0]
        argument = f"{choice.argument}={choice.values[0]}" if choice.argument else ""
        done, _ = env.step(f"hidden thought of {player}\n{choice.verb}({argument})")
        seen += env.state.current_player_id != player
        if done:
            break
    assert seen > 3


def test_a_player_that_gives_three_bad_replies_forfeits():
    env = begun()
    loser = env.state.current_player_id
    before = env.episode.game.to_bytes()
    assert env.step("I pass.") == (False, {})
    assert env.state.current_player_id == loser
    assert "Refused: the reply has no action" in env.get_observation()[1]
    assert env.episode.game.to_bytes() == before
    env.step("fly(to=9)")
    done, _ = env.step("")
    rewards, infos = env.close()
    assert done
    assert rewards == {loser: 0.0, 1 - loser: 1.0}
    assert infos[loser]["invalid_move"]


def test_the_wrapper_of_textarena_keeps_observations_of_the_game_before():
    """A second `reset` of that wrapper does not remove the observations of the first game:
    prompts grow, and show cards of another game.
    """
    random.seed(1)
    env = ta.wrappers.LLMObservationWrapper(begun().env)
    _, first = env.get_observation()
    env.reset(num_players=2, seed=9)
    while True:
        player, second = env.get_observation()
        if player in env.full_observations and len(env.full_observations[player]) > 1:
            break
        env.step("pass()")
    assert first.strip() in second

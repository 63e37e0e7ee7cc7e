"""Drawings are readable, and show nothing that their viewer may not see."""

import re
import sys
import warnings

import gymnasium
import numpy as np
import pytest

from impulse_env import impulse_v0, render, render_image
from impulse_env.engine._jit import IS_COMPILED
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import Op
from impulse_env.game import Game
from impulse_env.information import determinized

with warnings.catch_warnings():
    # It imports its example by a path that PettingZoo itself calls deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import render_test

TABLES = [
    {"players": 2},
    {"players": 3},
    {"players": 4, "teams": 2},
    {"players": 5},
    {"players": 6, "teams": 2},
    {"players": 6, "teams": 3},
]
MANY_STEPS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=str)


def games(table, seed, steps=300, every=1):
    """Play a random game; yield it at every so many decisions, a tenth as many uncompiled."""
    steps = steps if IS_COMPILED or every >= steps else steps // 10
    game = Game(seed=seed, **table)
    rng = np.random.default_rng(seed)
    for step in range(steps):
        if game.is_over:
            break
        if step % every == 0:
            yield game
        game.step(int(rng.choice(game.legal_actions())))
    yield game


# --- The contract ------------------------------------------------------------------------------


@EVERY_TABLE
def test_render_test_passes(table, capsys):
    render_test(lambda **arguments: impulse_v0.env(**table, **arguments))


def test_the_modes_give_text_a_picture_or_print():
    env = impulse_v0.env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == render.draw_text(render.as_seen(env.game.state, None))
    env = impulse_v0.env(render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (*render_image.IMAGE_SIZE[::-1], 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50


def test_human_mode_prints_after_every_step_once(capsys):
    env = impulse_v0.env(render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    env.step(int(env.last()[0]["action_mask"].argmax()))
    printed = capsys.readouterr().out
    assert printed.count("Turn 0") == 2


def test_without_a_mode_rendering_warns():
    env = impulse_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode"):
        assert env.render() is None


def test_without_pillow_a_picture_is_a_clear_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.ImageDraw", None)
    with pytest.raises(render_image.RenderError, match="needs Pillow: pip install"):
        impulse_v0.env(render_mode="rgb_array")
    assert impulse_v0.env(render_mode="ansi").render_mode == "ansi"


def test_the_gymnasium_environment_draws_too():
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray)):
        env = gymnasium.make("impulse_env:Impulse-v0", players=3, render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)


# --- What is in it -----------------------------------------------------------------------------


@EVERY_TABLE
def test_the_text_of_every_state_fits_and_names_what_matters(table):
    for game in games(table, seed=1, steps=600, every=7):
        text = render.draw_text(game.state)
        lines = text.splitlines()
        assert max(map(len, lines)) <= render.WIDTH
        assert f"Turn {game.turn}" in text
        for seat, score in enumerate(game.scores):
            (line,) = [line for line in lines if re.match(rf"[> ] {seat} [A-Z]", line)]
            assert f" {score} point" in line
            assert line.startswith(">") == (seat == game.seat)
        if not game.is_over:
            flowing = " ".join(text.split())
            assert " ".join(f"Seat {game.seat} decides: {game.decision.prompt}".split()) in flowing


def test_every_ship_and_face_up_card_is_on_the_map():
    for game in games({"players": 3}, seed=4, steps=500, every=25):
        state = game.state
        drawn = "\n".join(render.draw_text(state).split("\n\nCell:")[0].splitlines()[2:])
        fleets = re.findall(r"(\d):(\d+)", drawn)
        for seat in range(3):
            ships = sum(int(count) for owner, count in fleets if int(owner) == seat)
            assert ships == state["ships_on_map"][seat]
        for card in state["cell_card"][state["cell_face_up"] == 1]:
            assert card < 0 or f"#{NUMBER_BY_CARD[card]}" in drawn


def test_the_map_looks_like_the_board():
    """Five rows, set off by half a cell, with seat 0 at home on the left."""
    game = Game(players=2, seed=1)
    lines = render.draw_text(game.state).splitlines()
    rows = [line for line in lines if re.match(r" +\d+ ?\??[A-Zf]", line) and "--" in line]
    assert [len(re.findall(r"--|-\d:\d+-", row)) for row in rows] == [2, 3, 4, 3, 2]
    assert re.match(r" +8 ", rows[2])


@MANY_STEPS
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"target_score": 1}, "won by points"),
        ({"max_turns": 1}, "it was truncated, nobody has won"),
    ],
)
def test_the_end_is_told(changes, said):
    *_, game = games({"players": 2, **changes}, seed=2, steps=5000, every=5000)
    assert said in render.draw_text(game.state)


@MANY_STEPS
def test_a_battle_is_drawn_without_the_cards_laid_face_down():
    for game in (game for seed in range(30) for game in games({"players": 3}, seed)):
        if game.state["laid_count"].any():
            seen = render.draw_text(render.as_seen(game.state, None))
            assert "Battle at gate" in seen
            assert re.search(r"laid [1-9]\d*[;\n]", seen + "\n")
            assert re.search(r"laid [1-9]\d* \(", render.draw_text(game.state))
            return
    pytest.fail("nobody has laid a reinforcement")


def test_pictures_of_different_states_differ():
    played = games({"players": 4}, seed=1, steps=3, every=3)
    one, two = (render_image.draw_image(game.state) for game in played)
    assert (one != two).any()


# --- Secrecy -----------------------------------------------------------------------------------


@EVERY_TABLE
def test_a_seat_sees_the_same_drawing_whatever_is_hidden_from_it(table):
    rng = np.random.default_rng(1)
    for step, game in enumerate(games(table, seed=7, steps=600, every=29)):
        for seat in range(game.players):
            other = determinized(game.state, seat, rng)
            for by in (seat, None):
                seen, guessed = render.as_seen(game.state, by), render.as_seen(other, by)
                assert render.draw_text(seen) == render.draw_text(guessed)
                if step % 10 == 0 and seat == 0:
                    np.testing.assert_array_equal(
                        render_image.draw_image(seen), render_image.draw_image(guessed)
                    )


@EVERY_TABLE
def test_what_everybody_sees_does_not_depend_on_any_hand(table):
    """Replace what each seat in turn does not see: in the end everything hidden was replaced."""
    rng = np.random.default_rng(2)
    for game in games(table, seed=3, steps=400, every=17):
        other = game.state
        for seat in range(game.players):
            other = determinized(other, seat, rng)
        public = render.draw_text(render.as_seen(game.state, None))
        assert public == render.draw_text(render.as_seen(other, None))


def test_the_environment_draws_what_everybody_sees_unless_told_otherwise():
    drawings = {}
    for by in (None, 0, 1, "all"):
        env = impulse_v0.env(render_mode="ansi", render_seat=by)
        env.reset(seed=5)
        drawings[by] = env.render()
        hands = [line for line in drawings[by].splitlines() if line.startswith("    hand")]
        shown = [seat for seat, line in enumerate(hands) if re.match(r" +hand \d+:", line)]
        assert shown == {None: [], 0: [0], 1: [1], "all": [0, 1]}[by]
    assert "?" in drawings["all"]
    assert "face-down" not in drawings["all"]
    assert drawings[None].count("face-down") >= 16


def test_drawing_changes_nothing():
    for game in games({"players": 4, "teams": 2}, seed=1, steps=200, every=20):
        before = game.to_bytes()
        for by in (None, 0, "all"):
            render.draw_text(render.as_seen(game.state, by))
            render_image.draw_image(render.as_seen(game.state, by))
        assert game.to_bytes() == before


@MANY_STEPS
def test_the_decider_is_the_game_s():
    kinds = set()
    for game in (game for seed in range(12) for game in games({"players": 3}, seed, steps=900)):
        assert render.decider(game.state) == (-1 if game.is_over else game.seat)
        kinds.add(game.decision.kind)
    assert Op.REINFORCE.name.lower() in kinds

"""Drawings are readable, and show nothing that their viewer may not see."""

import copy
import pickle
import re
import sys
import warnings

import gymnasium
import numpy as np
import pytest

from drawn import EVERY_TABLE, MANY_STEPS, games, resampled
from impulse_env import drawing, impulse_v0
from impulse_env.drawing.pixels import RenderError
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import Op
from impulse_env.game import Game
from impulse_env.information import as_seen, decider, determinized
from impulse_env.text import board, color

with warnings.catch_warnings():
    # It imports its example by a path that PettingZoo itself calls deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import render_test


def shown():
    """What the window shows, shape ``(height, width, 3)``."""
    import pygame

    surface = pygame.display.get_surface()
    return None if surface is None else pygame.surfarray.array3d(surface).swapaxes(0, 1)


# --- The contract ------------------------------------------------------------------------------


@EVERY_TABLE
def test_render_test_passes(table, display):
    render_test(lambda **arguments: impulse_v0.env(**table, **arguments))


def test_the_modes_give_text_or_a_picture():
    env = impulse_v0.env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == board.draw_text(as_seen(env.game.state, None))
    env = impulse_v0.env(render_mode="rgb_array", render_seat=1)
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (*drawing.size(env.game.state, 1)[::-1], 3)
    np.testing.assert_array_equal(picture, drawing.png(env.game.state, 1))


def test_pictures_of_a_game_are_all_of_one_size():
    env = impulse_v0.env(players=3, render_mode="rgb_array")
    env.reset(seed=1)
    shapes = set()
    for step in range(200):
        if step % 40 == 0:
            shapes.add(env.render().shape)
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert len(shapes) == 1


# --- The window --------------------------------------------------------------------------------


def test_the_window_shows_every_step(display):
    env = impulse_v0.env(render_mode="human")
    env.reset(seed=1)
    before = shown()
    assert env.render() is None
    np.testing.assert_array_equal(shown(), before)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert (shown() != before).any()
    width, height = drawing.size(env.game.state, None)
    zoom = shown().shape[1] / width
    assert zoom <= 1
    assert abs(shown().shape[0] - height * zoom) <= 1
    env.close()
    env.close()
    assert shown() is None


def test_a_window_that_was_closed_stays_closed_and_the_game_continues(display):
    import pygame

    env = impulse_v0.env(render_mode="human")
    env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(3):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert shown() is None


def test_an_environment_with_a_window_is_copied_without_it(display):
    env = impulse_v0.env(render_mode="human")
    env.reset(seed=1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(int(other.last()[0]["action_mask"].argmax()))
        other.close()
    env.close()


def test_without_a_display_a_window_is_a_clear_error(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform != "linux":
        pytest.skip("only Linux runs without a display")
    with pytest.raises(RenderError, match=r'opens a window, and there is no display .*"rgb_array"'):
        impulse_v0.env(render_mode="human")
    assert impulse_v0.env(render_mode="rgb_array").render_mode == "rgb_array"


# --- What is missing ---------------------------------------------------------------------------


def test_without_a_mode_rendering_warns():
    env = impulse_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode"):
        assert env.render() is None


def draw(env):
    env.reset(seed=1)
    return env.render()


@pytest.mark.parametrize("module", ["resvg_py", "pygame"])
@pytest.mark.parametrize("mode", ["rgb_array", "human"])
def test_without_the_extra_a_picture_is_a_clear_error(monkeypatch, module, mode):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(RenderError, match=r'need resvg and pygame: pip install "impulse-env\[re'):
        draw(impulse_v0.env(render_mode=mode))
    if mode == "rgb_array":
        # Stable-Baselines3 names this mode for everybody.
        env = gymnasium.make("Impulse-v0", render_mode=mode)
        env.reset(seed=1)
        env.step(env.unwrapped.action_masks().argmax())
    assert impulse_v0.env(render_mode="ansi").render_mode == "ansi"
    assert Game(seed=1).svg().startswith("<svg")


def test_the_gymnasium_environment_draws_too():
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray)):
        env = gymnasium.make("impulse_env:Impulse-v0", players=3, render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)
    several = {"num_envs": 2, "vectorization_mode": "sync", "render_mode": "ansi"}
    envs = gymnasium.make_vec("impulse_env:Impulse-v0", **several)
    envs.reset(seed=1)
    assert [type(drawn) for drawn in envs.render()] == [str, str]


# --- What is in it -----------------------------------------------------------------------------


@EVERY_TABLE
def test_the_text_of_every_state_fits_and_names_what_matters(table):
    for game in games(table, seed=1, steps=600, every=7):
        text = board.draw_text(game.state)
        lines = text.splitlines()
        assert max(map(len, lines)) <= board.WIDTH
        assert f"Turn {game.turn + 1}" in text
        for seat, score in enumerate(game.scores):
            (line,) = [line for line in lines if re.match(rf"[> ] {seat} ([A-Z]|no race)", line)]
            assert f" {score} point" in line
            assert line.startswith(">") == (seat == game.seat)
        if not game.is_over:
            flowing = " ".join(text.split())
            assert " ".join(f"Seat {game.seat} decides: {game.decision.prompt}".split()) in flowing


def test_every_ship_and_face_up_card_is_on_the_map():
    for game in games({"players": 3}, seed=4, steps=500, every=25):
        state = game.state
        drawn = "\n".join(board.draw_text(state).split("\n\nCell:")[0].splitlines()[2:])
        fleets = re.findall(r"(\d):(\d+)", drawn)
        for seat in range(3):
            ships = sum(int(count) for owner, count in fleets if int(owner) == seat)
            assert ships == state["ships_on_map"][seat]
        for card in state["cell_card"][state["cell_face_up"] == 1]:
            assert card < 0 or f"#{NUMBER_BY_CARD[card]}" in drawn


def test_the_map_looks_like_the_board():
    """Five rows, set off by half a cell, with seat 0 at home on the left."""
    game = Game(players=2, seed=1)
    lines = board.draw_text(game.state).splitlines()
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
def test_the_end_is_described(changes, said):
    *_, game = games({"players": 2, **changes}, seed=2, steps=5000, every=5000)
    assert said in board.draw_text(game.state)


@MANY_STEPS
def test_a_battle_is_drawn_without_the_cards_laid_face_down():
    for game in (game for seed in range(30) for game in games({"players": 3}, seed)):
        if game.state["laid_count"].any():
            seen = board.draw_text(as_seen(game.state, None))
            assert "Battle at gate" in seen
            assert re.search(r"laid [1-9]\d*[;\n]", seen + "\n")
            assert re.search(r"laid [1-9]\d* \(", board.draw_text(game.state))
            return
    pytest.fail("nobody has laid a reinforcement")


# --- Colours for terminals ---------------------------------------------------------------------


class Stream:
    def __init__(self, is_terminal):
        self.isatty = lambda: is_terminal


@pytest.mark.parametrize(
    ("no_color", "is_terminal", "wanted"),
    [(None, True, True), ("", True, True), ("1", True, False), (None, False, False)],
)
def test_colors_are_for_terminals_that_want_them(monkeypatch, no_color, is_terminal, wanted):
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    assert color.wants_color(Stream(is_terminal)) == wanted


def test_colors_change_no_letter():
    codes = set()
    for game in games({"players": 4}, seed=5, steps=400, every=40):
        plain = board.draw_text(game.state)
        painted = color.colored(plain)
        codes |= set(re.findall(r"\x1b\[([\d;]+)m", painted))
        assert re.sub(r"\x1b\[[\d;]+m", "", painted) == plain
    assert {"31", "32", "33", "34"} <= codes
    assert sum(code.startswith("1;38") for code in codes) == 4


def test_the_environment_writes_colors_for_a_terminal_alone(monkeypatch):
    env = impulse_v0.env(render_mode="ansi")
    env.reset(seed=1)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", Stream(is_terminal=True))
    colored = env.render()
    monkeypatch.setattr(sys, "stdout", Stream(is_terminal=False))
    assert colored == color.colored(env.render()) != env.render()


# --- Secrecy -----------------------------------------------------------------------------------


@EVERY_TABLE
def test_a_seat_sees_the_same_drawing_whatever_is_hidden_from_it(table):
    rng = np.random.default_rng(1)
    for game in games(table, seed=7, steps=600, every=29):
        for other, by in resampled(game, rng):
            seen, guessed = as_seen(game.state, by), as_seen(other, by)
            assert board.draw_text(seen) == board.draw_text(guessed)


@EVERY_TABLE
def test_what_everybody_sees_does_not_depend_on_any_hand(table):
    """Replace what each seat in turn does not see: in the end everything hidden was replaced."""
    rng = np.random.default_rng(2)
    for game in games(table, seed=3, steps=400, every=17):
        other = game.state
        for seat in range(game.players):
            other = determinized(other, seat, rng)
        public = board.draw_text(as_seen(game.state, None))
        assert public == board.draw_text(as_seen(other, None))


def test_the_environment_draws_the_public_view_by_default():
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
    for game in games({"players": 4, "team_size": 2}, seed=1, steps=200, every=20):
        before = game.to_bytes()
        for by in (None, 0, "all"):
            board.draw_text(as_seen(game.state, by))
            drawing.svg(game.state, by)
        assert game.to_bytes() == before


@MANY_STEPS
def test_the_decider_is_the_game_s():
    kinds = set()
    for game in (game for seed in range(12) for game in games({"players": 3}, seed, steps=900)):
        assert decider(game.state) == (-1 if game.is_over else game.seat)
        kinds.add(game.decision.kind)
    assert Op.REINFORCE.name.lower() in kinds

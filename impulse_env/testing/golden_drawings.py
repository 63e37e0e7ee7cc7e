"""Drawings that a person has checked; tests compare them to find changes.

`impulse tools golden --drawings tests/env/drawing/golden` rewrites them. Each shows a random game
after a number of decisions. Look at every change before you commit it.
"""

from typing import Any, Final, NamedTuple

from impulse_env.engine.constants import Seat
from impulse_env.game import Game
from impulse_env.testing.random_play import random_choice


class Scene(NamedTuple):
    """A moment of a random game, and the viewer."""

    options: dict[str, Any]
    seed: int
    steps: int
    by: Seat | str | None


SCENES: Final = {
    "2_players_as_seat_1": Scene({"players": 2}, seed=1, steps=264, by=1),
    "3_players_battle_as_seat_1": Scene({"players": 3}, seed=4, steps=569, by=1),
    "4_players_end": Scene({"players": 4}, seed=19, steps=568, by=None),
    "6_players_everything": Scene({"players": 6}, seed=37, steps=813, by="all"),
    "6_players_teams_of_2": Scene({"players": 6, "team_size": 2}, seed=2, steps=813, by=None),
}
"""The scenes by file name."""


def game_of(scene: Scene) -> Game:
    """Return the game at that moment."""
    game = Game(seed=scene.seed, **scene.options)
    choose = random_choice(scene.seed)
    for _ in range(scene.steps):
        game.step(choose(game))
    return game


def drawing_of(scene: Scene) -> str:
    """Return the drawing with one element per line, so that a comparison shows the changes."""
    return game_of(scene).svg(scene.by).replace("><", ">\n<") + "\n"

"""Whole games as readable text: what stands, who decides, what is legal in words, what is taken.

    python -m impulse_env.testing.playthroughs --players 3 --seed 7        print a random game
    python -m impulse_env.testing.playthroughs --update tests/env/testing/playthroughs rewrite the golden games there
    python -m impulse_env.testing.playthroughs --players 6 --seed 8 --turn 40 --picture docs/board.png
                                                                  draw what everybody sees then

Golden playthroughs catch change, not error: their diff is read by a person.
"""

import argparse
from pathlib import Path
from typing import Any, Final

from impulse_env import drawing
from impulse_env.actions import N_ACTIONS
from impulse_env.drawing.raster import png_bytes
from impulse_env.game import Game
from impulse_env.replay.transcript import Choose, play_lines
from impulse_env.testing.random_play import random_choice

GOLDEN: Final[dict[str, dict[str, Any]]] = {
    "2_players": {"players": 2, "seed": 1},
    "3_players_draft": {"players": 3, "seed": 2, "races": "draft", "max_turns": 30},
    "4_players_teams_of_2": {"players": 4, "seed": 3, "team_size": 2, "max_turns": 30},
    "5_players": {"players": 5, "seed": 4, "max_turns": 30},
    "6_players_teams_of_3": {"players": 6, "seed": 5, "team_size": 3, "max_turns": 30},
    "6_players_teams_of_2": {"players": 6, "seed": 6, "team_size": 2, "max_turns": 30},
}
"""The games under `tests/env/testing/playthroughs`, by file name."""


def golden_text(name: str) -> str:
    """Return the text of one of the golden games."""
    options = dict(GOLDEN[name])
    seed = options.pop("seed")
    header = ", ".join(f"{key}={value!r}" for key, value in GOLDEN[name].items())
    lines = [f"Game({header}), {N_ACTIONS} actions"]
    lines += play_lines(Game(seed=seed, **options), random_choice(seed))
    return "\n".join(lines) + "\n"


def draw(game: Game, choose: Choose, turn: int, path: Path) -> None:
    """Write a drawing of what everybody sees when that player turn begins, 0 the first.

    Raises:
        RenderError: The picture cannot be drawn here.
    """
    while not game.is_over and (game.turn < turn or game.decision.kind != "use_tech"):
        game.step(choose(game))
    if path.suffix == ".svg":
        path.write_text(game.svg(), encoding="utf-8")
    else:
        path.write_bytes(png_bytes(game.svg(), drawing.WIDTH))


def main() -> None:
    """Print a game, draw one, or rewrite the golden ones."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--players", type=int, default=2, help="2 to 6")
    parser.add_argument("--team-size", type=int, default=None, help="players per team")
    parser.add_argument("--seed", type=int, default=0, help="of the deal and the random players")
    parser.add_argument("--update", type=Path, help="rewrite the golden games in this folder")
    parser.add_argument("--picture", type=Path, help="draw into this PNG or SVG file instead")
    parser.add_argument("--turn", type=int, default=20, help="the player turn to draw")
    args = parser.parse_args()
    if args.update is None:
        game = Game(args.players, args.seed, team_size=args.team_size)
        if args.picture is not None:
            draw(game, random_choice(args.seed), args.turn, args.picture)
            print(args.picture)
            return
        for line in play_lines(game, random_choice(args.seed)):
            print(line)
        return
    args.update.mkdir(parents=True, exist_ok=True)
    for name in GOLDEN:
        path = args.update / f"{name}.txt"
        path.write_text(golden_text(name), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()

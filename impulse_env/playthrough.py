"""Whole games as readable text: what stands, who decides, what is legal in words, what is taken.

    python -m impulse_env.playthrough --players 3 --seed 7        print a random game
    python -m impulse_env.playthrough --update tests/playthroughs rewrite the golden games there
    python -m impulse_env.playthrough --players 6 --seed 8 --turn 40 --picture docs/board.png
                                                                  draw what everybody sees then

Golden playthroughs catch change, not error: their diff is read by a person.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from impulse_env import drawing
from impulse_env.actions import GATE_NAMES, N_ACTIONS
from impulse_env.describe import card_label
from impulse_env.drawing.raster import png_bytes
from impulse_env.engine.constants import BASIC_TECH, NO_RACE, Color, State
from impulse_env.game import Game
from impulse_env.options import RACE_NAMES

GOLDEN: Final[dict[str, dict[str, Any]]] = {
    "2_players": {"players": 2, "seed": 1},
    "3_players_draft": {"players": 3, "seed": 2, "races": "draft", "max_turns": 30},
    "4_players_teams_of_2": {"players": 4, "seed": 3, "teams": 2, "max_turns": 30},
    "5_players": {"players": 5, "seed": 4, "max_turns": 30},
    "6_players_teams_of_3": {"players": 6, "seed": 5, "teams": 3, "max_turns": 30},
    "6_players_teams_of_2": {"players": 6, "seed": 6, "teams": 2, "max_turns": 30},
}
"""The games under `tests/playthroughs`, by file name."""

_LEGAL_SHOWN: Final = 12

Choose = Callable[[Game], int]


def random_choice(seed: int) -> Choose:
    """Return a player that takes a uniform legal action, the same for the same seed."""
    rng = np.random.default_rng(seed)

    def choose(game: Game) -> int:
        legal = game.legal_actions()
        return legal[int(rng.integers(len(legal)))]

    return choose


def describe_state(state: State) -> Iterator[str]:
    """Yield the lines that say how the game stands."""
    rows = int(state["teams"]) if state["teams"] < state["players"] else 1
    for row in range(rows):
        cards = state["impulse"][row, : state["impulse_count"][row]]
        which = f" of team {row}" if rows > 1 else ""
        yield f"  Impulse{which}: " + (
            ", ".join(card_label(int(card)) for card in cards) or "empty"
        )
    for seat in range(int(state["players"])):
        race = int(state["race"][seat])
        planned = state["plan"][seat, : state["plan_count"][seat]]
        gems = ", ".join(
            f"{int(state['gems'][seat, color])} {color.name.lower()}"
            for color in Color
            if state["gems"][seat, color]
        )
        ships = [
            f"{int(count)}T at {cell + 1}"
            for cell, count in enumerate(state["transports"][seat])
            if count
        ] + [
            f"{int(state['gate_ships'][gate])}C at {name}"
            for gate, name in enumerate(GATE_NAMES)
            if state["gate_owner"][gate] == seat
        ]
        techs = [card_label(int(card)) for card in state["techs"][seat] if card != BASIC_TECH]
        parts = [
            f"seat {seat}",
            "no race" if race == NO_RACE else RACE_NAMES[race],
            f"{int(state['score'][seat])} points",
            f"{int(state['hand_count'][seat])} in hand",
            "eliminated" if state["eliminated"][seat] else " ".join(ships) or "no ships",
        ]
        if gems:
            parts.append(f"gems: {gems}")
        if len(planned):
            parts.append("Plan: " + ", ".join(card_label(int(card)) for card in planned))
        if techs:
            parts.append("Techs: " + ", ".join(techs))
        yield "  " + "; ".join(parts)


def play_lines(game: Game, choose: Choose) -> Iterator[str]:
    """Play a game to its end and yield its text, line by line."""
    turn = -1
    while game.seat is not None:
        state = game.state
        if game.turn != turn:
            turn = game.turn
            yield ""
            yield f"Turn {turn + 1}, seat {int(state['active'])}"
            yield from describe_state(state)
        legal = game.legal_actions()
        action = choose(game)
        shown = ", ".join(game.name(a) for a in legal[:_LEGAL_SHOWN])
        more = f", and {len(legal) - _LEGAL_SHOWN} more" if len(legal) > _LEGAL_SHOWN else ""
        yield f"  [{game.decision.kind}] seat {game.seat}: {game.decision.prompt}"
        yield f"      legal: {shown}{more}"
        yield f"    > {game.name(action)}: {game.describe(action)}"
        game.step(action)
    yield ""
    yield from describe_state(game.state)
    winners = " and ".join(f"seat {seat}" for seat in game.winners)
    ending = f"{winners} won" if winners else "truncated, nobody won"
    yield f"The end, in turn {game.turn + 1}: {ending}; points {game.scores}"


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
    parser.add_argument("--teams", type=int, default=None, help="players per team")
    parser.add_argument("--seed", type=int, default=0, help="of the deal and the random players")
    parser.add_argument("--update", type=Path, help="rewrite the golden games in this folder")
    parser.add_argument("--picture", type=Path, help="draw into this PNG or SVG file instead")
    parser.add_argument("--turn", type=int, default=20, help="the player turn to draw")
    args = parser.parse_args()
    if args.update is None:
        game = Game(args.players, args.seed, teams=args.teams)
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

"""Whole games as readable text: position, deciding seat, legal actions in words, chosen action.

`impulse tools golden --games tests/env/testing/playthroughs` rewrites them. Golden playthroughs
detect changes, not errors: a person must read the difference.
"""

from typing import Any, Final

from impulse_env.actions import N_ACTIONS
from impulse_env.game import Game
from impulse_env.replay.transcript import play_lines
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

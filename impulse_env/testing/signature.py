"""A fingerprint of the game: the digest of every record of seeded random games.

    impulse tools signature --games 1000

If it changes, the game plays differently. Compiled and uncompiled code give the same digest, on
every machine and with every hash seed.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from impulse_env.game import Game
from impulse_env.testing.random_play import random_choice

SETTINGS: Final[tuple[dict[str, Any], ...]] = (
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 5, "races": "draft"},
    {"players": 6},
    {"players": 4, "team_size": 2},
    {"players": 6, "team_size": 2, "auto_forced": False},
    {"players": 6, "team_size": 3, "hand_limit": 8, "ships": 8},
)
"""Options of the games, used in rotation."""


def traces(games: int) -> Iterator[str]:
    """Yield the digest of all records of each game, one after every step."""
    for number in range(games):
        game = Game(seed=number, **SETTINGS[number % len(SETTINGS)])
        choose = random_choice(number)
        digest = hashlib.sha256(game.to_bytes())
        while not game.is_over:
            game.step(choose(game))
            digest.update(game.to_bytes())
        yield digest.hexdigest()


def signature(games: int) -> str:
    """Return the digest of `traces`."""
    return hashlib.sha256("".join(traces(games)).encode()).hexdigest()[:16]

"""The printed cards, and games in which one of them is in use."""

import csv
from importlib.resources import files

import numpy as np

import helpers
from helpers import play
from impulse_env.engine.cards import COPIES_BY_CARD, NUMBER_BY_CARD
from impulse_env.engine.constants import FACES
from impulse_env.game import Game

PRINTED = {
    int(row["id"]): row
    for row in csv.DictReader(
        (files("impulse_env.engine") / "cards.csv").read_text(encoding="utf-8").splitlines()
    )
}
"""Every card as printed, by number."""
COLORS = ("red", "blue", "green", "yellow")
SIZES = (1, 2, 3)
NEXT = 45
"""The Impulse card after the one under test: there the game rests when the effect is over."""
NEXT_TO_45 = 18
"""The same after card 45."""
ALL_CARDS = dict(zip(NUMBER_BY_CARD, map(int, COPIES_BY_CARD), strict=True))
"""Copies of each face in the box: what `lying` must always say."""


def color_and_size(number: int) -> tuple[str, int]:
    return PRINTED[number]["color"], int(PRINTED[number]["size"])


def name_of(number: int) -> str:
    """Return the name of the card's action: that of the lowest number of its face."""
    words = [(k, v) for k, v in PRINTED[number].items() if k != "id"]
    same = [
        n for n, row in PRINTED.items() if [(k, v) for k, v in row.items() if k != "id"] == words
    ]
    return f"card {min(same)}"


def cards_of(color: str, size: int, count: int = 1, but: tuple[int, ...] = ()) -> list[int]:
    """Return up to `count` cards of that colour and size, none of those in `but`."""
    return [n for n in PRINTED if color_and_size(n) == (color, size) and n not in but][:count]


def gems(color: str, count: int, but: tuple[int, ...] = ()) -> list[int]:
    """Return size 1 cards that make up so many gems as minerals."""
    return cards_of(color, 1, 99, (*but, NEXT))[::-1][:count]


def offering(card: int, **fields) -> Game:
    """Return a game in which seat 0 is offered that Impulse card; another one follows."""
    follow = NEXT if card != NEXT else NEXT_TO_45
    return helpers.game(phase="use_impulse", impulse=[card, follow], **fields)


def using(card: int, **fields) -> Game:
    """Return a game in which seat 0 uses that Impulse card; another one follows."""
    return play(offering(card, **fields), "use")


def is_done(game: Game) -> bool:
    """Whether the card of `using` is over: the one that follows is on offer."""
    return game.decision.kind == "use_impulse" and bool(game.state["cursor"] == 1)


def cards_by_face(states):
    """Count the copies of each face wherever they lie, shape ``(n, FACES)``."""
    n = len(states)
    zones = ("cell_card", "deck", "impulse", "table", "hand", "plan", "techs", "laid")
    cards = np.concatenate([states[zone].reshape(n, -1) for zone in zones], axis=1).astype(int)
    keys = (np.arange(n)[:, None] * FACES + cards)[cards >= 0]
    of_face = np.bincount(keys, minlength=n * FACES).reshape(n, FACES)
    return of_face + states["discard"] + states["minerals"].sum(1)


def lying(game: Game) -> dict[int, int]:
    """Count every card wherever it lies: {lowest number: copies}."""
    (count,) = cards_by_face(np.array([game.state])).tolist()
    return dict(zip(NUMBER_BY_CARD, count, strict=True))


def using_plan(own_plan: list[int], cursor: int = 0, **fields) -> Game:
    """Return a game whose Plan is in use, that many cards of it offered already."""
    return helpers.game(phase="use_plan", cursor=cursor, plan=own_plan, **fields)

"""The printed cards, and what all effects on cards of the hand or of the deck have in common."""

import csv
from importlib.resources import files

import helpers
from helpers import deck, names, play
from impulse_env.engine.cards import COPIES_BY_CARD, NUMBER_BY_CARD
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


def lying(game: Game) -> dict[int, int]:
    """Count every card wherever it lies: {lowest number: copies}."""
    state = game.state
    count = dict.fromkeys(NUMBER_BY_CARD, 0)
    zones = ("cell_card", "deck", "impulse", "table", "hand", "plan", "techs", "laid")
    for zone in zones:
        for card in state[zone].ravel():
            if card >= 0:
                count[NUMBER_BY_CARD[int(card)]] += 1
    for pile in (state["discard"], *state["minerals"]):
        for card, copies in enumerate(pile):
            count[NUMBER_BY_CARD[card]] += int(copies)
    return count


# --- From hand --------------------------------------------------------------------------------


def admitted_from_hand(card: int, minerals: list[int]) -> set[tuple[str, int]]:
    """Return the colours and sizes that the card, used by seat 0, admits of all twelve."""
    admitted = set()
    for color in COLORS:
        used = (card, NEXT, *minerals)
        hand = [n for size in SIZES for n in cards_of(color, size, 1, used)]
        game = offering(card, hand=hand, minerals=minerals)
        if "use" in names(game):
            play(game, "use")
            by_name = {name_of(n): color_and_size(n) for n in hand}
            assert set(names(game)) <= set(by_name), "no pass once the card is in use (P4)"
            admitted |= {by_name[name] for name in names(game)}
    return admitted


def check_from_hand(card: int, colors: tuple[str, ...], size: int, count: int, box: str) -> None:
    """Check what a card that takes cards from hand admits and how many, at every boost.

    Args:
        card: The acting card.
        colors: Colours admitted.
        size: Largest size admitted.
        count: How many cards.
        box: "count" or "size", the one that is boosted.
    """
    own = PRINTED[card]["color"]
    for boost, gem_count in enumerate((1, 3, 4)):
        minerals = gems(own, gem_count, (card,))
        largest = min(size + boost * (box == "size"), 3)
        expected = {(color, n) for color in colors for n in range(1, largest + 1)}
        assert admitted_from_hand(card, minerals) == expected
        used = (card, NEXT, *minerals)
        hand = [n for color in colors for n in cards_of(color, 1, 10 // len(colors), used)]
        game = using(card, hand=hand, minerals=minerals)
        chosen = 0
        while not is_done(game):
            if game.decision.kind == "research_slot":
                play(game, "tech 0")
            elif game.decision.kind == "use_researched":
                play(game, "pass")
            else:
                assert ("pass" in names(game)) == (chosen > 0), "pass from the second card on"
                play(game, names(game)[-1])
                chosen += 1
        assert chosen == count + boost * (box == "count")
    others = [n for color in COLORS if color != own for n in gems(color, 2, (card,))]
    expected = {(color, n) for color in colors for n in range(1, size + 1)}
    assert admitted_from_hand(card, others) == expected, "gems of other colours do not count"


# --- From the deck ----------------------------------------------------------------------------


def run_from_deck(game: Game, keep: str = "use") -> int:
    """Play to the end of a "from the deck" effect; return the number of cards offered."""
    offers = 0
    while not is_done(game):
        if game.decision.kind == "keep_revealed":
            offers += 1
            play(game, keep)
        elif game.decision.kind == "research_slot":
            play(game, "tech 0")
        else:
            assert game.decision.kind == "reveal_next"
            play(game, "use")
    return offers


def check_from_deck(card: int, size: int, count: int, box: str, **fields) -> None:
    """Check how many cards a "from the deck" card reveals and which sizes fit, at every boost."""
    own = PRINTED[card]["color"]
    for boost, gem_count in enumerate((1, 3, 4)):
        minerals = gems(own, gem_count, (card,))
        for printed_size in SIZES:
            used = (card, NEXT, *minerals)
            top = [n for color in COLORS for n in cards_of(color, printed_size, 2, used)]
            game = using(card, minerals=minerals, deck=top, **fields)
            offers = run_from_deck(game)
            revealed = count + boost * (box == "count")
            assert len(top) - len(deck(game)) == revealed, "fitting or not"
            assert offers == (revealed if printed_size <= size + boost * (box == "size") else 0)

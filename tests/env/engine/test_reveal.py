"""What all effects on cards of the deck have in common: number and sizes (p. 24)."""

import pytest

from helpers import deck, play
from impulse_env.game import Game
from printed import COLORS, NEXT, PRINTED, SIZES, cards_of, gems, is_done, using


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


@pytest.mark.parametrize(
    ("card", "size", "count", "box"),
    [
        (95, 1, 1, "count"),  # Trade
        (19, 2, 1, "count"),  # Mine
        (61, 1, 2, "size"),
        (73, 1, 1, "size"),
        (49, 1, 2, "size"),  # Plan
        (63, 1, 2, "size"),  # Research
        (96, 1, 2, "size"),
        (66, 1, 3, "count"),  # Draw
    ],
)
def test_each_card_from_the_deck_reveals_its_number_and_admits_its_size_at_every_boost_p24(
    card, size, count, box
):
    own = PRINTED[card]["color"]
    for boost, gem_count in enumerate((1, 3, 4)):
        minerals = gems(own, gem_count, (card,))
        for printed_size in SIZES:
            used = (card, NEXT, *minerals)
            top = [n for color in COLORS for n in cards_of(color, printed_size, 2, used)]
            game = using(card, minerals=minerals, deck=top)
            offers = run_from_deck(game)
            revealed = count + boost * (box == "count")
            assert len(top) - len(deck(game)) == revealed, "fitting or not"
            assert offers == (revealed if printed_size <= size + boost * (box == "size") else 0)

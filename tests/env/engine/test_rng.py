"""The game's random numbers, by a second road: xorshift64, and a shuffle that uses all its bits."""

import numpy as np
import pytest

from helpers import deck, game, hand, play
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.rng import seed_of_state, state_of_seed

DRAW, FIRST, AFTER = 5, 2, 106
"""The card in use, the last one of the deck, and the card on the Impulse after the one in use."""
BITS = (1 << 64) - 1
LEFT, RIGHT = (13, 17), 7


def after(x):
    """Marsaglia's xorshift64 with the shifts 13, 7 and 17."""
    x ^= (x << LEFT[0]) & BITS
    x ^= x >> RIGHT
    return x ^ (x << LEFT[1]) & BITS


def number_below(x, bound):
    """The sum of both words of 32 bits, as a fraction of 2**32, times the bound."""
    return ((x >> 32) + (x & 0xFFFFFFFF)) % (1 << 32) * bound >> 32


def shuffled(cards, x):
    """Fisher and Yates from the last slot down; return the cards and the generator's state."""
    cards = list(cards)
    for slot in range(len(cards) - 1, 0, -1):
        x = after(x)
        other = number_below(x, slot + 1)
        cards[slot], cards[other] = cards[other], cards[slot]
    return cards, x


PILE = sorted({int(number) for number in NUMBER_BY_CARD} - {DRAW, FIRST, AFTER})


def about_to_shuffle(seed):
    """A game in which a card that draws two will draw the last one, and one of the new deck."""
    return game(seed=seed, deck=[FIRST], discard=PILE, impulse=[DRAW, AFTER], phase="use_impulse")


@pytest.mark.parametrize("seed", [0, 1, 2, 2**31, 2**32 + 5, 2**63, 2**64 - 1])
def test_the_new_deck_is_the_shuffle_of_the_generators_numbers(seed):
    made = about_to_shuffle(seed)
    expected, x = shuffled(PILE, int(made.state["rng"]))
    play(made, "use", "use")
    assert hand(made) == sorted([FIRST, expected[-1]])
    assert deck(made) == expected[-2::-1]
    assert int(made.state["rng"]) == x


@pytest.mark.parametrize("word", [0, 32])
def test_either_word_of_the_generator_decides_which_card_comes_first(word):
    first = set()
    for change in range(8):
        made = about_to_shuffle(0)
        # Its next states differ in the upper bits of that word alone.
        made.state["rng"] = np.uint64(before(0x0123456789ABCDEF ^ (change << (word + 28))))
        play(made, "use", "use")
        first.add(tuple(hand(made)))
    assert len(first) == 8


def before(x):
    """The state whose next one is `x`."""
    for shift in (LEFT[1], -RIGHT, LEFT[0]):
        found = x
        for _ in range(64 // abs(shift) + 1):
            found = x ^ ((found << shift) & BITS if shift > 0 else found >> -shift)
        x = found
    return x


def test_the_generator_can_be_run_backwards():
    for x in (1, 2**63, 0x0123456789ABCDEF):
        assert before(after(x)) == x


# The first numbers that the mix of SplitMix64 makes of these seeds (Steele, Lea and Flood 2014).
MIXED = {0: 0xE220A8397B1DCDAF, 0x9E3779B97F4A7C15: 0x6E789E6AA1B965F4}


@pytest.mark.parametrize("seed", MIXED)
def test_seeds_are_spread_by_splitmix64(seed):
    assert state_of_seed(seed) == MIXED[seed]


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32, 2**63 + 7, 2**64 - 1])
def test_the_seed_of_a_state_is_found_again(seed):
    assert seed_of_state(state_of_seed(seed)) == seed
    assert state_of_seed(seed + (1 << 64)) == state_of_seed(seed)
    assert state_of_seed(seed - (1 << 64)) == state_of_seed(seed)


def test_no_seed_stops_the_generator():
    # The one seed whose mix is 0, where xorshift would stay for ever.
    assert state_of_seed(seed_of_state(0)) == 1

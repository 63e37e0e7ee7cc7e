"""The boxed number: one more for every two matching gems (pp. 22-23)."""

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import COLOR_BY_CARD
from impulse_env.engine.constants import GEMS_PER_BOOST, Card, Seat, State


@jit_internal
def boost_of(state: State, seat: Seat, card: Card, arrived: int) -> int:
    """Return the boost of the card's boxed number (R2).

    Args:
        state: The game.
        seat: The seat that uses the card.
        card: The face in use; gems of its colour count.
        arrived: Transports that moved onto it in the Command that activates it, one gem each;
            0 for a card that is not on the map.
    """
    return (int(state["gems"][seat, COLOR_BY_CARD[card]]) + arrived) // GEMS_PER_BOOST

"""The boxed number: one more for every two matching gems (pp. 22-23)."""

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import COLOR_BY_CARD
from impulse_env.engine.constants import GEMS_PER_BOOST, Card, Seat, State


@jit_internal
def boost_of(state: State, seat: Seat, card: Card, arrived: int) -> int:
    """Return what is added to the card's box (R2).

    Args:
        state: The game.
        seat: Who acts.
        card: The face that acts; its own colour counts.
        arrived: Transports that moved onto it in the Command that activates it, one gem each;
            0 for a card that does not lie on the map.
    """
    return (int(state["gems"][seat, COLOR_BY_CARD[card]]) + arrived) // GEMS_PER_BOOST

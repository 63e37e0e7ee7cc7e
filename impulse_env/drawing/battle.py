"""A battle: its sides with their Cruisers, and the reinforcements that count."""

from typing import Final

from impulse_env.compiled.compilation import plain
from impulse_env.drawing.elements import Box, text, use
from impulse_env.drawing.lettering import width_of
from impulse_env.drawing.symbols import drawn_to_read
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import FACES, Card, Seat, State
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.state import ATTACKER

_BLUFF: Final = "bluff"
_SIZE: Final = 13


def counting(state: State, seat: Seat, cards: list[Card]) -> list[Card]:
    """Return the reinforcements of a seat that count; the other faces are bluffs (p. 34)."""
    row = plain(impulse_of)(state, seat)
    planned = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    open_cards = [
        *state["impulse"][row, : int(state["impulse_count"][row])],
        *state["plan"][seat, :planned],
        *state["techs"][seat],
    ]
    kinds = {_kind(int(card)) for card in open_cards if 0 <= card < FACES}
    return [card for card in cards if 0 <= card < FACES and _kind(card) in kinds]


def _kind(card: Card) -> tuple[int, int]:
    return int(COLOR_BY_CARD[card]), int(SIZE_BY_CARD[card])


def side_of(state: State, side: int, box: Box) -> str:
    """Draw a side with its Cruisers and the reinforcements laid so far, bluffs after a word."""
    seat, ships = int(state["battle_seat"][side]), int(state["battle_ships"][side])
    word = "attacks" if side == ATTACKER else "defends"
    words = f"{word} with {ships} Cruiser{'' if ships == 1 else 's'}, lays"
    x = box.x + 30
    width = width_of(words, _SIZE)
    room = box._replace(x=x + width + 8, width=box.right - x - width - 8)
    laid = [int(card) for card in state["laid"][side, : int(state["laid_count"][side])]]
    return (
        use(f"mark-{seat}", box.x + 13, box.y + 17)
        + text(words, x, box.y + 21, _SIZE)
        + _laid(laid, counting(state, seat, laid), room)
    )


def _laid(laid: list[Card], count: list[Card], room: Box) -> str:
    bluffs = [card for card in laid if 0 <= card < FACES and card not in count]
    others = [card for card in laid if card not in bluffs]
    baseline = room.y + 21
    if not laid:
        return text("nothing", room.x, baseline, _SIZE)
    if not bluffs:
        return drawn_to_read(others, room, ("chip", "gems"))
    word = width_of(_BLUFF, _SIZE) + 8
    left = room._replace(width=(room.width - word) * len(others) / len(laid))
    right = room._replace(x=left.right + word, width=room.width - word - left.width)
    return (
        (drawn_to_read(others, left, ("chip", "gems")) if others else "")
        + text(_BLUFF, left.right, baseline, _SIZE)
        + drawn_to_read(bluffs, right, ("chip", "gems"))
    )

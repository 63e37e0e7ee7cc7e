"""English prompts of decisions and meanings of actions; this module takes no decisions."""

from collections.abc import Callable
from typing import Final

from impulse_env.actions import CELL_NAMES, GATE_NAMES, NAMES
from impulse_env.compiled.compilation import plain
from impulse_env.engine.action_space import (
    BASIC_BUILD,
    BASIC_COMMAND,
    CARD_0,
    CELL_0,
    COLOR_0,
    COPY_0,
    PASS,
    PLACE_0,
    RACE_0,
    SEAT_0,
    SHIPS_0,
    TECH_0,
    USE,
)
from impulse_env.engine.cards import (
    ACTION_BY_CARD,
    COLOR_BY_CARD,
    NUMBER_BY_CARD,
    SIZE_BY_CARD,
    TEXT_BY_CARD,
)
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    COMMON_TECH,
    CORE,
    CRUISER,
    FACES,
    GEMS_PER_BOOST,
    RACE_TECH,
    TRANSPORT,
    Action,
    Card,
    Color,
    Op,
    Place,
    Purpose,
    Race,
    State,
)
from impulse_env.engine.effects.reveal import BLIND, FIRST_BLIND
from impulse_env.engine.offer import card_on_offer
from impulse_env.engine.ops import words
from impulse_env.engine.state import CARD, COLORS, HIGH, LEFT, LOW, OP, A, B

_TOPICS: Final = {op.name.lower(): group for op, group in words("group").items()}
RACE_TECH_TEXTS: Final = {
    Race.PISCESISH: "Draw one size 1 card from the deck.",
    Race.ARIEK: "Command one fleet for one move; it must end the move occupying or patrolling "
    "the Sector Core.",
    Race.HERCULESE: "Command one Cruiser for one move through an unexplored card.",
    Race.DRACONIANS: "Research one card from your hand that matches color and size of the last "
    "Impulse card.",
    Race.TRIANGULUMNISTS: "Build a Cruiser at home on an edge that touches an unexplored card.",
    Race.CAELUMNITES: "Mine one card from your hand that matches color and size of the last "
    "Impulse card.",
}
COMMON_TECH_TEXT: Final = (
    "Discard a card in order to either Command one fleet for one move or Build one ship at home."
)


def card_label(card: Card) -> str:
    """Return e.g. ``card 57 (Build, blue 2)``."""
    if not 0 <= card < FACES:
        return {COMMON_TECH: "the common Basic Tech", RACE_TECH: "the race's Basic Tech"}.get(
            card, "a hidden card"
        )
    color = Color(int(COLOR_BY_CARD[card])).name.lower()
    return (
        f"card {NUMBER_BY_CARD[card]} "
        f"({ACTION_BY_CARD[card].capitalize()}, {color} {SIZE_BY_CARD[card]})"
    )


def card_text(card: Card) -> str:
    """Return the label and the printed effect."""
    return f"{card_label(card)}: {TEXT_BY_CARD[card]}"


def place_label(place: Place) -> str:
    """Return e.g. ``cell 5``, ``gate 5-10`` or ``the Sector Core``."""
    if place == CORE:
        return "the Sector Core (cell 10)"
    return f"cell {CELL_NAMES[place]}" if place < CELLS else f"gate {GATE_NAMES[place - CELLS]}"


def tech_label(state: State, seat: int, slot: int, with_text: bool = True) -> str:
    """Return the name of the card in a Tech slot, with or without its text."""
    card = int(state["techs"][seat, slot])
    if card != BASIC_TECH:
        return card_text(card) if with_text else card_label(card)
    if slot == 0:
        label, text = "the common Basic Tech", COMMON_TECH_TEXT
    else:
        race = Race(int(state["race"][seat]))
        label = f"the Basic Tech of the {race.name.capitalize()}"
        text = RACE_TECH_TEXTS[race]
    return f"{label}: {text}" if with_text else label


def ships_label(count: int, place: Place) -> str:
    """Return e.g. ``2 Cruisers``."""
    kind = "Transport" if place < CELLS else "Cruiser"
    return f"{count} {kind}{'' if count == 1 else 's'}"


offered_card: Final = plain(card_on_offer)
"""Return the face on offer in a state's decision, NO_CARD if there is none."""


def pending(state: State) -> tuple[Op, list[int]]:
    """Return the `Op` that decides and its frame (zeros for a phase)."""
    top = int(state["stack_count"]) - 1
    if top < 0:
        return Op(int(state["phase"])), [0] * state["stack"].shape[1]
    frame = [int(value) for value in state["stack"][top]]
    return Op(frame[OP]), frame


def kind_of(state: State) -> str:
    """Return the stable word of the pending decision."""
    return pending(state)[0].name.lower() if state["status"] == 0 else "over"


def topic_of(kind: str) -> str:
    """Return the topic of a kind of decision in a player's words, such as "fleet moves".

    Several kinds have the same topic. An unknown word is returned unchanged.
    """
    return _TOPICS.get(kind, kind)


_KEEP_VERBS: Final = {
    Purpose.DRAW: "take it into hand",
    Purpose.TRADE: "trade it",
    Purpose.MINE: "mine it",
    Purpose.RESEARCH: "research it",
    Purpose.PLAN: "plan it",
    Purpose.EXECUTE: "use it",
}


def _fitting(frame: list[int]) -> str:
    """Describe the cards that fit: "red or blue card of size 1"."""
    mask, low, high = frame[COLORS], frame[LOW], frame[HIGH]
    names = [color.name.lower() for color in Color if mask >> color & 1]
    colors = "" if len(names) == len(Color) else " or ".join(names) + " "
    if low == high:
        return f"{colors}card of size {high}"
    return f"{colors}card" + (f" of size up to {high}" if high < 3 else "")


def _draw(state: State, frame: list[int]) -> str:
    is_blind = frame[A] == Purpose.DRAW and frame[B] in (BLIND, FIRST_BLIND)
    return "Draw" if is_blind else "Reveal"


FACTS: Final[dict[str, Callable[[State, list[int]], object]]] = {
    "source": lambda state, frame: card_label(frame[CARD]),
    "left": lambda state, frame: frame[LEFT],
    "low": lambda state, frame: frame[LOW],
    "fitting": lambda state, frame: _fitting(frame),
    "cell": lambda state, frame: frame[A] + 1,
    "where": lambda state, frame: place_label(frame[B]),
    "stop": lambda state, frame: place_label(int(state["path"][int(state["path_count"]) - 1])),
    "planned": lambda state, frame: int(state["plan_count"][int(state["active"])]),
    "offer_text": lambda state, frame: card_text(offered_card(state)),
    "label": lambda state, frame: card_label(offered_card(state)),
    "purpose": lambda state, frame: _KEEP_VERBS[Purpose(frame[A])],
    "draw": _draw,
    "side": lambda state, frame: ("Defender", "Attacker")[frame[A]],
    "gate": lambda state, frame: place_label(CELLS + int(state["battle_gate"])),
    "laid": lambda state, frame: int(state["laid_count"][1 - frame[A]]),
}
"""The values of the names in braces in `ops.csv`, from the state and the frame that decides.

Descriptions of actions have further names: ``offer``, the card on offer with or without its text;
``card`` and ``size`` of a chosen card; ``place``, ``ship`` and ``ships`` of a place.
"""


class _Facts(dict[str, object]):
    """Facts by name, each computed when a text uses it."""

    def __init__(self, state: State, frame: list[int], **extra: object) -> None:
        super().__init__(extra)
        self.state, self.frame = state, frame

    def __missing__(self, name: str) -> object:
        return FACTS[name](self.state, self.frame)


_PROMPTS: Final = words("prompt")
_DECLINE: Final = words("decline")
_USE: Final = words("use")
_CARD: Final = words("card")
_PLACE: Final = words("place")
_BOMBED: Final = {TRANSPORT: "Transports", CRUISER: "Cruisers"}


def prompt_of(state: State) -> str:
    """Return an English sentence that asks for the pending decision."""
    if state["status"] != 0:
        return "The game is over."
    op, frame = pending(state)
    if op == Op.ACTIVATE and frame[A] == CORE:
        return "Activate the Sector Core: which color boosts it?"
    only = f" Only {_BOMBED[frame[A]]}." if op == Op.SABOTAGE_FLEET and frame[A] in _BOMBED else ""
    return _PROMPTS[op].format_map(_Facts(state, frame)) + only


def describe_action(state: State, action: Action, with_text: bool = True) -> str:
    """Return the meaning of a legal action now; `with_text` adds the printed effect of a card."""
    op, frame = pending(state)
    if action == PASS:
        return (_DECLINE[op] or "stop here").format_map(_Facts(state, frame))
    if action == USE:
        offer = (card_text if with_text else card_label)(offered_card(state))
        return _USE[op].format_map(_Facts(state, frame, offer=offer))
    if CARD_0 <= action < CELL_0:
        card = action - CARD_0
        facts = _Facts(state, frame, card=card_label(card), size=SIZE_BY_CARD[card])
        return (_CARD[op] or "discard {card}").format_map(facts)
    if CELL_0 <= action <= SHIPS_0:
        return _describe_place(state, op, frame, action - PLACE_0)
    if SHIPS_0 < action < COLOR_0:
        place = int(state["fleet_from"][int(state["fleet_count"]) - 1])
        return f"take {ships_label(action - SHIPS_0, place)} from {place_label(place)}"
    if COLOR_0 <= action < TECH_0:
        color = action - COLOR_0
        gems = int(state["gems"][int(state["active"]), color]) + frame[B]
        points = 1 + gems // GEMS_PER_BOOST
        name = Color(color).name.lower()
        return f"activate the Sector Core as {name}, for {points} point{'s' * (points > 1)}"
    if TECH_0 <= action < SEAT_0:
        verb = "cover" if op == Op.RESEARCH_SLOT else "use"
        return f"{verb} Tech {action - TECH_0}, " + tech_label(
            state, int(state["active"]), action - TECH_0, with_text
        )
    if SEAT_0 <= action < RACE_0:
        return f"sabotage the Transports of seat {action - SEAT_0}"
    if RACE_0 <= action < BASIC_COMMAND:
        return f"play the {Race(action - RACE_0).name.capitalize()}"
    if action in (BASIC_COMMAND, BASIC_BUILD):
        return "command one fleet for one move" if action == BASIC_COMMAND else "build a ship"
    return f"take copy {action - COPY_0}, counted from the oldest"


def _describe_place(state: State, op: Op, frame: list[int], place: Place) -> str:
    kind = "Transport" if place < CELLS else "Cruiser"
    if op == Op.CHOOSE_MOVE:
        fleet = int(state["fleet_count"]) - 1
        origin = int(state["fleet_from"][fleet])
        ships = ships_label(int(state["fleet_ships"][fleet]), origin)
        if int(state["path_count"]) > 0 and not frame[COLORS]:
            origin = int(state["path"][int(state["path_count"]) - 1])
        verb = "move"
        if place >= CELLS:
            owner = int(state["gate_owner"][place - CELLS])
            if owner >= 0 and (owner - int(state["active"])) % int(state["teams"]) != 0:
                verb = f"attack seat {owner} with"
        return f"{verb} {ships} from {place_label(origin)} to {place_label(place)}"
    facts = _Facts(state, frame, place=place_label(place), ship=kind, ships=f"{kind}s")
    return (_PLACE[op] or NAMES[place + PLACE_0]).format_map(facts)

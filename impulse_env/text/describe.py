"""English: what a decision asks and what an action means now. It decides nothing."""

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
    FACES,
    GEMS_PER_BOOST,
    RACE_TECH,
    Action,
    Card,
    Color,
    Op,
    Place,
    Purpose,
    Race,
    State,
)
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.effects.reveal import BLIND, FIRST_BLIND
from impulse_env.engine.state import CARD, COLORS, HIGH, LEFT, LOW, OP, A, B

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
    """Return what lies in a Tech slot, with its text or without."""
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


def offered_card(state: State) -> Card:
    """Return the face that a yes-or-no decision is about, NO_CARD if none."""
    op, frame = _pending(state)
    seat = int(state["active"])
    cursor = int(state["cursor"])
    if op == Op.USE_IMPULSE:
        return int(state["impulse"][plain(impulse_of)(state, seat), cursor])
    if op == Op.USE_PLAN_CARD:
        return int(state["plan"][seat, cursor])
    if op == Op.ACTIVATE:
        return int(state["cell_card"][frame[A]])
    if op in (Op.KEEP_REVEALED, Op.USE_EXECUTED, Op.RESEARCH_SLOT):
        return int(state["table"][int(state["table_count"]) - 1])
    return int(frame[CARD])


def _pending(state: State) -> tuple[Op, list[int]]:
    """The `Op` that decides and its frame (zeros for a phase)."""
    top = int(state["stack_count"]) - 1
    if top < 0:
        return Op(int(state["phase"])), [0] * state["stack"].shape[1]
    frame = [int(value) for value in state["stack"][top]]
    return Op(frame[OP]), frame


def kind_of(state: State) -> str:
    """Return the stable word of the pending decision."""
    return _pending(state)[0].name.lower() if state["status"] == 0 else "over"


_KEEP_VERBS: Final = {
    Purpose.DRAW: "take it into hand",
    Purpose.TRADE: "trade it",
    Purpose.MINE: "mine it",
    Purpose.RESEARCH: "research it",
    Purpose.PLAN: "plan it",
    Purpose.EXECUTE: "use it",
}


def _fitting(frame: list[int]) -> str:
    """Say which cards fit: "red or blue card of size 1"."""
    mask, low, high = frame[COLORS], frame[LOW], frame[HIGH]
    names = [color.name.lower() for color in Color if mask >> color & 1]
    colors = "" if len(names) == len(Color) else " or ".join(names) + " "
    if low == high:
        return f"{colors}card of size {high}"
    return f"{colors}card" + (f" of size up to {high}" if high < 3 else "")


def prompt_of(state: State) -> str:
    """Return an English sentence that says what is to be decided."""
    if state["status"] != 0:
        return "The game is over."
    op, frame = _pending(state)
    seat = int(state["active"])
    source = card_label(frame[CARD])
    left = frame[LEFT]
    if op in (Op.TRADE_CARD, Op.MINE_CARD, Op.PLAN_CARD, Op.RESEARCH_CARD):
        verb = op.name.split("_")[0].capitalize()
        return f"{verb} a {_fitting(frame)} from your hand with {source} ({left} left)."
    if op in (Op.KEEP_REVEALED, Op.USE_EXECUTED):
        verb = _KEEP_VERBS[Purpose(frame[A])] if op == Op.KEEP_REVEALED else "use it"
        return f"{card_text(offered_card(state))} Do you {verb}?"
    if op == Op.REVEAL_NEXT:
        is_blind = frame[A] == Purpose.DRAW and frame[B] in (BLIND, FIRST_BLIND)
        what = "Draw" if is_blind else "Reveal"
        return f"{what} the next card of the deck for {source} ({left} left)?"
    if op == Op.ACTIVATE and frame[A] == CORE:
        return "Activate the Sector Core: which color boosts it?"
    if op == Op.REINFORCE:
        side = ("Defender", "Attacker")[frame[A]]
        other = int(state["laid_count"][1 - frame[A]])
        gate = GATE_NAMES[int(state["battle_gate"])]
        return f"{side} at gate {gate}: lay a card face-down? The other side laid {other}."
    if op in (Op.BUILD_SHIP, Op.BUILD_LOCATION):
        where = place_label(frame[B]) if op == Op.BUILD_SHIP else "one cell you occupy"
        return f"Build at {where} with {source} ({left} left)."
    prompts = {
        Op.DRAFT_RACE: "Choose your race.",
        Op.PLACE_HOME: "Place a card from your hand face-up on your home.",
        Op.ADD_IMPULSE: "Add a card from your hand to the Impulse.",
        Op.USE_TECH: "Use one of your Techs?",
        Op.USE_IMPULSE: f"Use Impulse {card_text(offered_card(state))}"
        if op == Op.USE_IMPULSE
        else "",
        Op.USE_PLAN: f"Use your Plan of {int(state['plan_count'][seat])} cards, or delay it?",
        Op.USE_PLAN_CARD: f"Use Plan {card_text(offered_card(state))}"
        if op == Op.USE_PLAN_CARD
        else "",
        Op.CHOOSE_FLEET: f"Choose a fleet to command with {source}.",
        Op.CHOOSE_SHIPS: "How many ships of the fleet go?",
        Op.CHOOSE_MOVE: f"Where does the fleet go next? Moves in all: up to {frame[LOW]}.",
        Op.PLACE_EXPLORED: f"Place a card face-up on the explored cell {frame[A] + 1}.",
        Op.ACTIVATE: f"Activate {card_text(offered_card(state))}" if op == Op.ACTIVATE else "",
        Op.RESEARCH_PLANNED: f"Research a card from your Plan ({left} left).",
        Op.CHOOSE_COPY: "Which copy in the Plan, counted from the oldest?",
        Op.RESEARCH_SLOT: f"Which Tech does {source} cover?",
        Op.USE_RESEARCHED: f"Execute the new Tech {source} now?",
        Op.REFINE_CARD: f"Refine a mineral card with {source} ({left} left).",
        Op.EXECUTE: f"Execute a card or a Tech with {source}.",
        Op.SABOTAGE_FLEET: f"Sabotage which fleet, with {left} bombs?",
        Op.SABOTAGE_OWNER: f"Whose Transports on cell {frame[A] + 1}?",
        Op.BASIC_DISCARD: "Discard a card for the common Basic Tech.",
        Op.BASIC_MODE: "Command one fleet for one move, or build one ship at home?",
        Op.DISCARD_FOR_DECK: "There is no card left: discard a card for a new deck.",
    }
    return prompts[op]


def describe_action(state: State, action: Action, with_text: bool = True) -> str:
    """Return what a legal action means now; of a card to be used the printed effect, if wanted."""
    op, frame = _pending(state)
    if action == PASS:
        return _describe_pass(state, op, frame)
    if action == USE:
        return _describe_use(state, op, frame, with_text)
    if CARD_0 <= action < CELL_0:
        return _describe_card(op, frame, action - CARD_0)
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


def _describe_pass(state: State, op: Op, frame: list[int]) -> str:
    if op == Op.CHOOSE_MOVE:
        return f"stop at {place_label(int(state['path'][int(state['path_count']) - 1]))}"
    if op == Op.KEEP_REVEALED or op == Op.USE_EXECUTED:
        return f"discard {card_label(offered_card(state))}"
    return {
        Op.USE_TECH: "use no Tech",
        Op.USE_PLAN: "delay the Plan",
        Op.CHOOSE_FLEET: "move the declared fleets, and no more",
        Op.REINFORCE: "lay no more cards",
        Op.REVEAL_NEXT: "stop here",
        Op.ACTIVATE: "do not activate it",
    }.get(op, "decline" if op in (Op.USE_IMPULSE, Op.USE_PLAN_CARD) else "stop here")


def _describe_use(state: State, op: Op, frame: list[int], with_text: bool) -> str:
    if op == Op.USE_PLAN:
        return "use the Plan"
    if op == Op.REVEAL_NEXT:
        return "go on with the next card of the deck"
    if op == Op.EXECUTE:
        return "reveal a card of the deck to execute"
    card = (card_text if with_text else card_label)(offered_card(state))
    if op == Op.KEEP_REVEALED:
        return f"{_KEEP_VERBS[Purpose(frame[A])]}: {card}"
    return f"{'activate' if op == Op.ACTIVATE else 'use'} {card}"


def _describe_card(op: Op, frame: list[int], card: Card) -> str:
    verbs = {
        Op.PLACE_HOME: "place {} on the home cell",
        Op.ADD_IMPULSE: "add {} to the Impulse",
        Op.PLACE_EXPLORED: f"place {{}} on cell {frame[A] + 1}",
        Op.REINFORCE: "lay {} face-down",
        Op.TRADE_CARD: f"trade {{}} for {SIZE_BY_CARD[card]}",
        Op.MINE_CARD: "mine {}",
        Op.PLAN_CARD: "plan {}",
        Op.RESEARCH_CARD: "research {}",
        Op.RESEARCH_PLANNED: "research {} from the Plan",
        Op.REFINE_CARD: "refine {}",
        Op.EXECUTE: "execute {}",
    }
    return verbs.get(op, "discard {}").format(card_label(card))


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
    if op == Op.CHOOSE_FLEET:
        return f"command the {kind}s at {place_label(place)}"
    if op == Op.BUILD_SHIP:
        return f"build a {kind} at {place_label(place)}"
    if op == Op.BUILD_LOCATION:
        return f"build at {place_label(place)}"
    if op == Op.SABOTAGE_FLEET:
        return f"sabotage the {kind}s at {place_label(place)}"
    return NAMES[place + PLACE_0]

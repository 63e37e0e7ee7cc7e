"""Events between two decisions, in English, from a comparison of two records.

Given two views of one seat, the events contain nothing that this seat may not know.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from impulse_env.actions import GATE_NAMES, UnknownActionError
from impulse_env.arguments import checked_integer
from impulse_env.engine.action_space import CARD_0, CELL_0, PASS, SIZE, USE
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    HIDDEN,
    NO_CARD,
    RUNNING,
    TECHS,
    Action,
    Card,
    PointSource,
    Seat,
    State,
)
from impulse_env.engine.state import ATTACKER, DEFENDER
from impulse_env.information import decider
from impulse_env.outcomes import turn_number
from impulse_env.text.board import decision_lines
from impulse_env.text.describe import (
    card_label,
    describe_action,
    kind_of,
    offered_card,
    place_label,
    ships_label,
    tech_label,
)

_FOR: Final = {
    PointSource.CORE_PATROL: "patrolling the Sector Core",
    PointSource.CORE_ACTIVATION: "activating the Sector Core",
    PointSource.TRADE: "trading",
    PointSource.REFINE: "refining",
    PointSource.BATTLE: "winning a battle",
    PointSource.SHIPS: "destroying ships",
}
_FROM_HAND: Final = frozenset(
    {
        "place_home",
        "add_impulse",
        "place_explored",
        "reinforce",
        "trade_card",
        "mine_card",
        "plan_card",
        "research_card",
        "execute",
        "basic_discard",
        "discard_for_deck",
    }
)
"""The kinds of decision that choose a card from the hand."""
_SETUP: Final = frozenset({"draft_race", "place_home"})
_OFFERS: Final = frozenset({"use_impulse", "use_plan_card", "activate"})
"""The kinds of decision that offer a card for use."""


@dataclass(frozen=True)
class Event:
    """An event of a game.

    Attributes:
        kind: "decision" (the chosen action), "turn" (a new turn begins), "points", "ships",
            "battle", "map", "cards" or "end".
        seat: The seat that the event concerns; None if it concerns no single seat.
        text: An English sentence.
    """

    kind: str
    seat: Seat | None
    text: str


def what_happened(before: State, action: Action, after: State) -> list[Event]:
    """Return the events of a decision and of its consequences up to the next decision.

    Args:
        before: The record, or a seat's view of it, with the decision pending.
        action: The chosen action, absolute. If a seat whose hand is hidden in `before` lays a card
            face-down, the events do not name the card.
        after: The record or view at the next decision, or at the end.

    Raises:
        UnknownActionError: The action is not an integer from 0 to ``N_ACTIONS - 1``.
    """
    action = checked_integer("action", action, 0, SIZE - 1, UnknownActionError)
    return _Comparison(before, action, after).events()


class _Comparison:
    """Two records and the decision between them; each method yields one kind of events."""

    def __init__(self, before: State, action: Action, after: State) -> None:
        self.before, self.after, self.action = before, after, action
        self.seat = decider(before)
        self.players = int(before["players"])
        self.kind = kind_of(before)
        self.is_hidden = self.kind == "reinforce" and HIDDEN in before["hand"][self.seat]
        # The card that the event of the decision names: its move from one zone to another gets no
        # further event.
        self.named = Counter[Card]()
        if CARD_0 <= action < CELL_0 and not self.is_hidden:
            self.named[action - CARD_0] += 1
        elif action in (PASS, USE) and self.kind in ("keep_revealed", "use_executed"):
            self.named[offered_card(before)] += 1

    def events(self) -> list[Event]:
        left, added = self.impulse_cards()
        events = [Event("decision", self.seat, self.decision())]
        events += [Event("map", self.seat, text) for text in self.map_cards()]
        events += [Event("cards", None, text) for text in self.revealed_cards(left)]
        events += self.battle()
        for seat in range(self.players):
            events += [Event("ships", seat, text) for text in self.ships_of(seat)]
        for seat in range(self.players):
            events += [Event("points", seat, text) for text in self.points_of(seat)]
        for seat in range(self.players):
            events += [Event("cards", seat, text) for text in self.cards_of(seat, added.total())]
        for verb, cards in (("joins", added), ("leaves", left)):
            if cards:
                text = f"{_list(cards, is_first=True)} {verb} the Impulse."
                events.append(Event("cards", None, text))
        return events + self.turn_and_end()

    def changed(self, field: str) -> bool:
        return bool((self.before[field] != self.after[field]).any())

    # --- The decision ----------------------------------------------------------------------

    def decision(self) -> str:
        is_card = CARD_0 <= self.action < CELL_0
        if self.is_hidden and is_card:
            words = "lay a card face-down"
        elif self.action == PASS and self.kind in _OFFERS:
            core = self.kind == "activate" and offered_card(self.before) == NO_CARD
            what = "the Sector Core" if core else card_label(offered_card(self.before))
            words = f"{'leave' if self.kind == 'activate' else 'decline'} {what}"
        else:
            words = describe_action(self.before, self.action, with_text=False)
        return f"Seat {self.seat} {third_person(words)}."

    # --- Cards -----------------------------------------------------------------------------

    def map_cards(self) -> list[str]:
        if self.kind in _SETUP or not (self.changed("cell_card") or self.changed("cell_face_up")):
            return []
        texts = []
        for cell in range(CELLS):
            was_up, is_up = (bool(s["cell_face_up"][cell]) for s in (self.before, self.after))
            card = int(self.after["cell_card"][cell])
            if is_up and not was_up and not self.named[card]:
                texts.append(f"{card_label(card).capitalize()} lies on cell {cell + 1} now.")
            elif card == NO_CARD != self.before["cell_card"][cell] and not was_up:
                texts.append(f"Seat {self.seat} explores cell {cell + 1} and takes its card.")
        return texts

    def impulse_cards(self) -> tuple[Counter[Card], Counter[Card]]:
        """Return the cards that left the Impulses, and those that joined them without a choice."""
        gone, joined = Counter[Card](), Counter[Card]()
        if self.changed("impulse"):
            for row in range(len(self.before["impulse_count"])):
                old, new = (
                    [
                        int(card)
                        for card in state["impulse"][row, : int(state["impulse_count"][row])]
                    ]
                    for state in (self.before, self.after)
                )
                left = next(k for k in range(len(old) + 1) if old[k:] == new[: len(old) - k])
                gone.update(old[:left])
                joined.update(new[len(old) - left :])
        return gone, joined - self.named

    def revealed_cards(self, left_impulse: Counter[Card]) -> list[str]:
        """Describe revealed and discarded cards, and a new deck."""
        gone = left_impulse + self.left_seats() + self.named + _table(self.before)
        revealed = _counts(self.after["discard"]) - _counts(self.before["discard"]) - gone
        revealed += _table(self.after) - _table(self.before) - self.named
        texts = [f"Revealed or discarded: {_list(revealed)}."] if revealed else []
        if self.after["deck_count"] > self.before["deck_count"]:
            texts.append("The discard pile is shuffled into a new deck.")
        return texts

    def left_seats(self) -> Counter[Card]:
        """Return the visible cards that seats no longer have."""
        lost = Counter[Card]()
        for seat in range(self.players):
            for cards in (_plan, _minerals, _techs, _hand):
                lost += cards(self.before, seat) - cards(self.after, seat)
        return lost

    def cards_of(self, seat: Seat, joined: int) -> list[str]:
        """Describe a seat's new and lost cards; `joined` cards joined the Impulse on their own."""
        texts = []
        if self.changed("hand") or self.changed("hand_count"):
            texts += self.hand_of(seat, joined)
        for zone, gains, loses in (
            (_plan, "plans", "has used up or discarded from the Plan"),
            (_minerals, "mines", "discards the minerals"),
        ):
            old, new = zone(self.before, seat), zone(self.after, seat)
            if gained := new - old - self.named:
                texts.append(f"Seat {seat} {gains} {_list(gained)}.")
            if lost := old - new - self.named:
                texts.append(f"Seat {seat} {loses} {_list(lost)}.")
        for slot in range(TECHS):
            old_tech, new_tech = (int(s["techs"][seat, slot]) for s in (self.before, self.after))
            if old_tech != new_tech != BASIC_TECH:
                label = tech_label(self.after, seat, slot, with_text=False)
                texts.append(f"Seat {seat} has a new Tech {slot}: {label}.")
        return texts

    def hand_of(self, seat: Seat, joined: int) -> list[str]:
        old, new = _hand(self.before, seat), _hand(self.after, seat)
        taken = self.named if self.action == USE else Counter[Card]()
        held = [int(state["hand_count"][seat]) for state in (self.before, self.after)]
        is_card = CARD_0 <= self.action < CELL_0
        played = int(is_card and self.seat == seat and self.kind in _FROM_HAND)
        if HIDDEN in self.before["hand"][seat] or HIDDEN in self.after["hand"][seat]:
            # With a single card in hand the engine adds it to the Impulse by itself.
            played += joined if seat == self.after["active"] else 0
            gained = held[1] - held[0] + played
            known = _known(self.after, seat) - _known(self.before, seat)
            gained -= (known & taken).total()
            known -= taken
            among = f", known: {_list(known)}" if known and gained > 0 else ""
            if gained > 0:
                return [f"Seat {seat} takes {_count(gained, 'card')} into hand{among}."]
            return [f"Seat {seat} gives {_count(-gained, 'card')} from hand."] if gained < 0 else []
        got = new - old - taken
        return [f"Seat {seat} takes into hand {_list(got)}."] if got else []

    # --- Battles and ships -----------------------------------------------------------------

    def battle(self) -> list[Event]:
        events = []
        gates = [int(state["battle_gate"]) for state in (self.before, self.after)]
        was, now = (state["points"][:, PointSource.BATTLE] for state in (self.before, self.after))
        won = now - was
        where = f"the battle at gate {GATE_NAMES[gates[0]]}" if gates[0] >= 0 else "a battle"
        for seat in np.flatnonzero(won):
            events.append(Event("battle", int(seat), f"Seat {seat} wins {where}."))
        if gates[1] >= 0 and (gates[0] != gates[1] or won.any()):
            ships = [ships_label(int(count), CELLS) for count in self.after["battle_ships"]]
            sides = [int(side) for side in self.after["battle_seat"]]
            text = (
                f"Battle at gate {GATE_NAMES[gates[1]]}: seat {sides[ATTACKER]} attacks with "
                f"{ships[ATTACKER]}, seat {sides[DEFENDER]} defends with {ships[DEFENDER]}."
            )
            events.append(Event("battle", sides[ATTACKER], text))
        return events

    def ships_of(self, seat: Seat) -> list[str]:
        """Describe moved, new and lost ships; Transports and Cruisers never change kind."""
        texts = []
        moved = _ships(self.after, seat) - _ships(self.before, seat)
        for first, places in ((0, moved[:CELLS]), (CELLS, moved[CELLS:])):
            gains = {first + int(p): int(places[p]) for p in np.flatnonzero(places > 0)}
            losses = {first + int(p): -int(places[p]) for p in np.flatnonzero(places < 0)}
            if gains and losses:
                count = min(sum(gains.values()), sum(losses.values()))
                ships = ships_label(count, first)
                verb = "moves" if count == 1 else "move"
                texts.append(f"{ships} of seat {seat} {verb} from {_at(losses)} to {_at(gains)}.")
            elif gains and self.kind != "build_ship":  # the event of the decision names it
                ships = ships_label(sum(gains.values()), first)
                texts.append(f"Seat {seat} has {ships} more at {_at(gains)}.")
            elif losses:
                ships = ships_label(sum(losses.values()), first)
                texts.append(f"Seat {seat} loses {ships} at {_at(losses)}.")
        return texts

    # --- Points, turns, the end ------------------------------------------------------------

    def points_of(self, seat: Seat) -> list[str]:
        gained = self.after["points"][seat] - self.before["points"][seat]
        total, texts = int(self.before["score"][seat]), []
        for source in _FOR:
            if gained[source]:
                total += int(gained[source])
                scored = _count(int(gained[source]), "point")
                texts.append(f"Seat {seat} scores {scored} for {_FOR[source]} ({total} now).")
        return texts

    def turn_and_end(self) -> list[Event]:
        events = []
        for seat in range(self.players):
            if self.after["eliminated"][seat] and not self.before["eliminated"][seat]:
                events.append(Event("end", seat, f"Seat {seat} has no ships left and is out."))
        if self.after["status"] != RUNNING:
            events.append(Event("end", None, decision_lines(self.after)[-1]))
        elif self.after["turn"] != self.before["turn"]:
            active = int(self.after["active"])
            text = f"Turn {turn_number(self.after)}: seat {active}."
            events.append(Event("turn", active, text))
        return events


def third_person(words: str) -> str:
    """Convert the result of `describe_action` to the third person."""
    verb, space, rest = words.partition(" ")
    irregular = {"do": "does", "go": "goes", "research": "researches"}
    return irregular.get(verb, verb + "s") + space + rest


# --- Cards and ships by place ------------------------------------------------------------------


def _counts(row: np.ndarray) -> Counter[Card]:
    return Counter({int(face): int(row[face]) for face in np.flatnonzero(row)})


def _table(state: State) -> Counter[Card]:
    return Counter(state["table"][: int(state["table_count"])].tolist())


def _plan(state: State, seat: Seat) -> Counter[Card]:
    count = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    return Counter(state["plan"][seat, :count].tolist())


def _minerals(state: State, seat: Seat) -> Counter[Card]:
    return _counts(state["minerals"][seat])


def _techs(state: State, seat: Seat) -> Counter[Card]:
    return Counter(card for card in state["techs"][seat].tolist() if card != BASIC_TECH)


def _hand(state: State, seat: Seat) -> Counter[Card]:
    hand = state["hand"][seat, : int(state["hand_count"][seat])]
    return Counter(card for card in hand.tolist() if card != HIDDEN)


def _known(state: State, seat: Seat) -> Counter[Card]:
    return Counter(state["known"][seat, : int(state["known_count"][seat])].tolist())


def _ships(state: State, seat: Seat) -> np.ndarray:
    """Return a seat's ships by place, shape ``(PLACES,)``."""
    cruisers = np.where(state["gate_owner"] == seat, state["gate_ships"], 0)
    return np.concatenate([state["transports"][seat], cruisers]).astype(np.int64)


# --- Words -------------------------------------------------------------------------------------


def _count(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _list(cards: Counter[Card], is_first: bool = False) -> str:
    text = ", ".join(card_label(card) for card in cards.elements())
    return text[0].upper() + text[1:] if is_first else text


def _at(places: dict[int, int]) -> str:
    return " and ".join(place_label(place) for place in places)

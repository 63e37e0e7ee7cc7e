"""Reading of positions: every field checked, every card counted; format in `writer.py`."""

from typing import Any, Final

import numpy as np

from impulse_env.actions import CARD_NUMBERS, CELL_NAMES, GATE_NAMES
from impulse_env.arguments import checked_integer, integer_of
from impulse_env.engine.cards import (
    CARD_BY_NUMBER,
    COLOR_BY_CARD,
    COPIES_BY_CARD,
    NUMBER_BY_CARD,
    SIZE_BY_CARD,
)
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    CORE,
    FACES,
    IMPULSE_KEPT,
    IMPULSE_SLOTS,
    MAX_PLAYERS,
    NO_CARD,
    NO_RACE,
    NO_SEAT,
    START_CRUISERS,
    START_HAND,
    START_TRANSPORTS,
    Card,
    Cell,
    Op,
    PointSource,
    Seat,
    State,
)
from impulse_env.engine.sector_map import HOMES, START_GATE_OF_CELL
from impulse_env.errors import PositionError
from impulse_env.options import RACE_NAMES, OptionError, Options
from impulse_env.positions.writer import CONFIG, PHASES, SOURCES
from impulse_env.validation import fault_in

PHASE_NAMES: Final = tuple(dict.fromkeys(PHASES.values()))
_FIELDS: Final = (
    "players", "team_size", "config", "seed", "turn", "active", "start_player", "phase", "cursor",
    "activations", "face_up", "face_down", "deck", "discard", "impulse", "seats",
)  # fmt: skip
_SEAT_FIELDS: Final = (
    "race", "score", "points", "hand", "known", "plan", "next_plan", "minerals", "techs",
    "transports", "cruisers", "eliminated",
)  # fmt: skip


def from_position(position: dict[str, Any]) -> State:
    """Return the full record of a position; raises `PositionError`, which names the field."""
    return _Reader(position).read()


def _integer(field: str, value: Any, low: int, high: int) -> int:
    return checked_integer(field, value, low, high, PositionError)


def _card_of(number: Any) -> Card | None:
    printed = integer_of(number)
    return None if printed is None else CARD_BY_NUMBER.get(printed)


def _a(kind: type, field: str, value: Any) -> Any:
    """Return `value` if it has that type; raises `PositionError` otherwise."""
    names = {dict: "an object", list: "a list", bool: "true or false", str: "a string"}
    if not isinstance(value, kind) and not (kind is list and isinstance(value, tuple)):
        raise PositionError(f"{field} must be {names[kind]}, not {value!r}")
    return value


def _check_fields(where: str, entry: dict[str, Any], allowed: tuple[str, ...]) -> None:
    for field in entry:
        if field not in allowed:
            raise PositionError(f"{where}{field!r} is not a field; there are {', '.join(allowed)}")


class _Reader:
    """Fills one record from one position and counts the cards."""

    def __init__(self, position: dict[str, Any]) -> None:
        self.position = _a(dict, "the position", position)
        _check_fields("", self.position, _FIELDS)
        self.seats = [
            _a(dict, f"seats[{seat}]", entry)
            for seat, entry in enumerate(_a(list, "seats", self.position.get("seats", [])))
        ]
        for seat, entry in enumerate(self.seats):
            _check_fields(f"seats[{seat}].", entry, _SEAT_FIELDS)
        self.options = self._options()
        if "seats" not in self.position:
            self.seats = [{} for _ in range(self.options.players)]
        if len(self.seats) != self.options.players:
            raise PositionError(
                f"seats must name all {self.options.players} players, not {len(self.seats)}"
            )
        seed = _integer("seed", self.position.get("seed", 0), -(1 << 63), (1 << 64) - 1)
        self.state: State = self.options.new_states([seed])[0]
        self.rng = np.random.default_rng(seed % (1 << 64))
        self.left = [int(copies) for copies in COPIES_BY_CARD]

    def _options(self) -> Options:
        config = _a(dict, "config", self.position.get("config", {}))
        _check_fields("config.", config, (*CONFIG, "races"))
        if config.get("races") not in (None, "draft"):
            raise PositionError('config.races can only be "draft"; give each seat its race')
        try:
            return Options(
                players=self.position.get("players", len(self.seats) or 2),
                team_size=self.position.get("team_size"),
                start_player=self.position.get("start_player", 0),
                **config,
            )
        except OptionError as error:
            raise PositionError(str(error)) from error

    def read(self) -> State:
        """Return the record."""
        self._read_phase()
        self._read_races()
        for seat, entry in enumerate(self.seats):
            self._read_seat(seat, entry, f"seats[{seat}]")
        self._read_impulses()
        self._read_map()
        self._read_discard_and_deck()
        self._check_ships()
        if fault := fault_in(self.state, at_decision=False):
            raise PositionError(f"no game can be in this position: {fault}")
        return self.state

    # --- Cards -----------------------------------------------------------------------------

    def _card(self, field: str, number: Any) -> Card:
        """Remove the card with a printed number from the remaining cards and return it."""
        card = _card_of(number)
        if card is None:
            raise PositionError(f"{field}: there is no card {number!r}; cards are {CARD_NUMBERS}")
        if self.left[card] == 0:
            raise PositionError(
                f"{field}: card {NUMBER_BY_CARD[card]} is used more often than it is printed "
                f"({COPIES_BY_CARD[card]})"
            )
        self.left[card] -= 1
        return card

    def _cards(self, field: str, numbers: Any, most: int | None = None) -> list[Card]:
        numbers = _a(list, field, numbers)
        if most is not None and len(numbers) > most:
            raise PositionError(f"{field} must have at most {most} cards, not {len(numbers)}")
        return [self._card(f"{field}[{i}]", number) for i, number in enumerate(numbers)]

    def _rest(self) -> list[Card]:
        """Return the remaining cards, shuffled by the seed."""
        rest = [card for card in range(FACES) for _ in range(self.left[card])]
        self.rng.shuffle(rest)
        return rest

    # --- Phase and seats -------------------------------------------------------------------

    def _read_phase(self) -> None:
        position, state = self.position, self.state
        players = self.options.players
        phase = position.get("phase", "add_impulse")
        if phase not in PHASE_NAMES:
            raise PositionError(f"phase must be one of {list(PHASE_NAMES)}, not {phase!r}")
        state["active"] = _integer("active", position.get("active", 0), 0, players - 1)
        state["turn"] = _integer("turn", position.get("turn", 0), 0, self.options.max_turns - 1)
        state["activations"] = _integer(
            "activations", position.get("activations", 0), 0, self.options.max_activations
        )
        ops = {name: op for op, name in reversed(PHASES.items())}
        state["phase"] = ops[phase]
        cursor = position.get("cursor")
        if phase == "use_plan" and cursor is not None:
            state["phase"] = Op.USE_PLAN_CARD
        elif phase == "use_impulse":
            cursor = cursor or 0
        elif cursor is not None:
            raise PositionError(f"cursor has no meaning in phase {phase!r}")
        if cursor is not None:
            state["cursor"] = _integer("cursor", cursor, 0, 2 * CELLS)

    def _read_races(self) -> None:
        is_draft = self.state["phase"] in (Op.DRAFT_RACE, Op.PLACE_HOME) and any(
            "race" in entry and entry["race"] is None for entry in self.seats
        )
        if self.state["phase"] in (Op.DRAFT_RACE, Op.PLACE_HOME):
            self.state["phase"] = Op.DRAFT_RACE if is_draft else Op.PLACE_HOME
        self.state["draft"] = self.position.get("config", {}).get("races") == "draft"
        for seat, entry in enumerate(self.seats):
            race = entry.get("race")
            if race is None:
                continue
            if race not in RACE_NAMES:
                raise PositionError(
                    f"seats[{seat}].race must be one of {list(RACE_NAMES)}, not {race!r}"
                )
            if RACE_NAMES.index(race) in self.state["race"]:
                raise PositionError(f"seats[{seat}].race: {race!r} is another seat's")
            self.state["race"][seat] = RACE_NAMES.index(race)
        if not is_draft:
            free = [race for race in range(MAX_PLAYERS) if race not in self.state["race"]]
            self.rng.shuffle(free)
            for seat in range(self.options.players):
                if self.state["race"][seat] == NO_RACE:
                    self.state["race"][seat] = free.pop()

    def _has_placed_home(self, seat: Seat) -> bool:
        """Return whether the setup of that seat is over."""
        phase = self.state["phase"]
        if phase == Op.DRAFT_RACE:
            return False
        start, active = int(self.state["start_seat"]), int(self.state["active"])
        players = self.options.players
        return phase != Op.PLACE_HOME or (seat - start) % players < (active - start) % players

    def _read_seat(self, seat: Seat, entry: dict[str, Any], where: str) -> None:
        state = self.state
        state["eliminated"][seat] = _a(bool, f"{where}.eliminated", entry.get("eliminated", False))
        self._read_score(seat, entry, where)
        hand = sorted(self._cards(f"{where}.hand", entry.get("hand", []), self.options.hand_limit))
        state["hand"][seat, : len(hand)] = hand
        state["hand_count"][seat] = len(hand)
        self._read_known(seat, entry, hand, f"{where}.known")
        plan = self._cards(f"{where}.plan", entry.get("plan", []))
        grown = self._cards(f"{where}.next_plan", entry.get("next_plan", []))
        if grown and (state["phase"] != Op.USE_PLAN_CARD or seat != state["active"]):
            raise PositionError(f"{where}.next_plan: only while that seat's Plan is in use")
        if seat == state["active"] and state["phase"] == Op.USE_PLAN_CARD:
            _integer("cursor", int(state["cursor"]), 0, len(plan))
        state["plan"][seat, : len(plan) + len(grown)] = plan + grown
        state["plan_count"][seat] = len(plan)
        state["next_plan_count"][seat] = len(grown)
        for card in self._cards(f"{where}.minerals", entry.get("minerals", [])):
            state["minerals"][seat, card] += 1
            state["gems"][seat, COLOR_BY_CARD[card]] += SIZE_BY_CARD[card]
        techs = _a(list, f"{where}.techs", entry.get("techs", ["basic", "basic"]))
        if len(techs) != state["techs"].shape[1]:
            raise PositionError(f'{where}.techs must be two of "basic" or a card, not {techs!r}')
        for slot, tech in enumerate(techs):
            if tech != "basic":
                state["techs"][seat, slot] = self._card(f"{where}.techs[{slot}]", tech)
        self._read_ships(seat, entry, where)

    def _read_score(self, seat: Seat, entry: dict[str, Any], where: str) -> None:
        points = _a(dict, f"{where}.points", entry.get("points", {}))
        _check_fields(f"{where}.points.", points, SOURCES)
        most = self.options.target_score - 1
        values = [
            _integer(f"{where}.points.{name}", points.get(name, 0), 0, most) for name in SOURCES
        ]
        score = _integer(f"{where}.score", entry.get("score", sum(values)), 0, most)
        if points and sum(values) != score:
            raise PositionError(f"{where}.points must add up to the score {score}")
        if not points:
            values[PointSource.GIVEN] = score
        self.state["score"][seat] = score
        self.state["points"][seat] = values

    def _read_known(self, seat: Seat, entry: dict[str, Any], hand: list[Card], where: str) -> None:
        unseen = list(hand)
        known = []
        for number in _a(list, where, entry.get("known", [])):
            card = _card_of(number)
            if card is None or card not in unseen:
                raise PositionError(f"{where}: card {number!r} is not in that hand")
            unseen.remove(card)
            known.append(card)
        self.state["known"][seat, : len(known)] = sorted(known)
        self.state["known_count"][seat] = len(known)

    def _read_ships(self, seat: Seat, entry: dict[str, Any], where: str) -> None:
        state = self.state
        home = int(HOMES[self.options.players, seat])
        transports = _a(dict, f"{where}.transports", entry.get("transports", {}))
        cruisers = _a(dict, f"{where}.cruisers", entry.get("cruisers", {}))
        is_default = "transports" not in entry and "cruisers" not in entry
        if is_default and not state["eliminated"][seat] and self._has_placed_home(seat):
            transports = {home + 1: START_TRANSPORTS}
            cruisers = {GATE_NAMES[START_GATE_OF_CELL[home]]: START_CRUISERS}
        most = self.options.ships
        for key, count in transports.items():
            cell = self._cell(f"{where}.transports", key)
            state["transports"][seat, cell] = _integer(f"{where}.transports[{key}]", count, 0, most)
        for key, count in cruisers.items():
            if key not in GATE_NAMES:
                raise PositionError(
                    f'{where}.cruisers: there is no gate {key!r}; gates are "a-b" with a < b'
                )
            gate = GATE_NAMES.index(key)
            if state["gate_owner"][gate] != NO_SEAT:
                raise PositionError(
                    f"{where}.cruisers: seat {state['gate_owner'][gate]} has Cruisers on {key}"
                )
            ships = _integer(f"{where}.cruisers[{key}]", count, 0, most)
            if ships:
                state["gate_owner"][gate] = seat
                state["gate_ships"][gate] = ships
        total = int(state["transports"][seat].sum())
        total += int(state["gate_ships"][state["gate_owner"] == seat].sum())
        if total > most:
            raise PositionError(f"{where} has {total} ships; at most {most} are allowed")
        state["ships_on_map"][seat] = total

    def _check_ships(self) -> None:
        """Check that seats have ships on the map exactly if they are not eliminated."""
        alive = set()
        for seat in range(self.options.players):
            ships = int(self.state["ships_on_map"][seat])
            if self.state["eliminated"][seat]:
                held = ("hand_count", "plan_count")
                owns = any(self.state[field][seat] for field in held)
                owns |= any(self.state["minerals"][seat])
                owns |= any(self.state["techs"][seat] != BASIC_TECH)
                if ships or owns:
                    raise PositionError(
                        f"seats[{seat}] is eliminated: it can have no ships or cards"
                    )
            elif not ships and self._has_placed_home(seat):
                raise PositionError(f"seats[{seat}] has no ships on the map: it is eliminated")
            else:
                alive.add(seat % self.options.team_count)
        if len(alive) < 2:
            raise PositionError("seats: at least two players (or teams) must have ships")
        if self.state["eliminated"][int(self.state["active"])]:
            raise PositionError(f"active: seat {self.state['active']} is eliminated")

    # --- Common cards ----------------------------------------------------------------------

    def _read_impulses(self) -> None:
        state = self.state
        listed = _a(list, "impulse", self.position.get("impulse", []))
        rows = self.options.team_count if self.options.team_size else 1
        impulses = list(listed) if self.options.team_size else [listed]
        if self.options.team_size and not listed:
            impulses = [[] for _ in range(rows)]
        if len(impulses) != rows:
            raise PositionError(f"impulse must be {rows} lists, one for each team")
        for row, cards in enumerate(impulses):
            field = f"impulse[{row}]" if self.options.team_size else "impulse"
            is_own = not self.options.team_size or row == int(state["active"]) % rows
            is_fed = is_own and state["phase"] not in (Op.ADD_IMPULSE, Op.PLACE_HOME, Op.DRAFT_RACE)
            faces = self._cards(field, cards, IMPULSE_SLOTS if is_fed else IMPULSE_KEPT)
            if is_own and state["phase"] == Op.USE_IMPULSE:
                _integer("cursor", int(state["cursor"]), 0, len(faces))
            state["impulse"][row, : len(faces)] = faces
            state["impulse_count"][row] = len(faces)

    def _cell(self, field: str, key: Any) -> Cell:
        if str(key) not in CELL_NAMES or isinstance(key, bool):
            raise PositionError(f"{field}: there is no cell {key!r}; cells are 1 to {CELLS}")
        return int(key) - 1

    def _read_map(self) -> None:
        state = self.state
        for field, is_up in (("face_up", 1), ("face_down", 0)):
            for key, number in _a(dict, field, self.position.get(field, {})).items():
                cell = self._cell(field, key)
                if cell == CORE:
                    raise PositionError(f"{field}: cell {CORE + 1} is the Sector Core")
                if state["cell_card"][cell] != NO_CARD:
                    raise PositionError(f"{field}: cell {key} is in face_up and face_down")
                state["cell_card"][cell] = self._card(f"{field}[{key}]", number)
                state["cell_face_up"][cell] = is_up
        state["cell_face_up"][CORE] = 1
        homes = [int(cell) for cell in HOMES[self.options.players][: self.options.players]]
        rest = self._hold_back_deck()
        for cell in range(CELLS):
            in_hand = state["phase"] == Op.PLACE_HOME and cell == homes[int(state["active"])]
            if in_hand and state["cell_card"][cell] != NO_CARD:
                raise PositionError(f"face_down: the card of cell {cell + 1} is in hand in setup")
            if cell == CORE or in_hand or state["cell_card"][cell] != NO_CARD:
                continue
            if not rest:
                raise PositionError(f"face_down: no card is left for cell {cell + 1}")
            card = rest.pop()
            self.left[card] -= 1
            state["cell_card"][cell] = card
            is_placed_home = cell in homes and self._has_placed_home(homes.index(cell))
            state["cell_face_up"][cell] = is_placed_home

    def _hold_back_deck(self) -> list[Card]:
        """Read the position's deck and discard pile first: the map uses only other cards."""
        self.deck = self._cards("deck", self.position.get("deck") or [])
        self.discard = self._cards("discard", self.position.get("discard") or [])
        self._deal_missing_hands()
        return self._rest()

    def _deal_missing_hands(self) -> None:
        """Deal the hands that the position leaves out, in setup."""
        if self.state["phase"] not in (Op.DRAFT_RACE, Op.PLACE_HOME):
            return
        rest = self._rest()
        for seat, entry in enumerate(self.seats):
            if "hand" in entry:
                continue
            takes_home = self.state["phase"] == Op.PLACE_HOME and seat == self.state["active"]
            hand = sorted(rest.pop() for _ in range(START_HAND + takes_home))
            for card in hand:
                self.left[card] -= 1
            self.state["hand"][seat, : len(hand)] = hand
            self.state["hand_count"][seat] = len(hand)

    def _read_discard_and_deck(self) -> None:
        state = self.state
        rest = self._rest()
        if self.position.get("deck") is None:
            self.deck = rest
        elif self.position.get("discard") is None:
            self.discard += rest
        elif rest:
            missing = sorted(NUMBER_BY_CARD[card] for card in rest)
            raise PositionError(f"deck and discard: cards {missing} are missing")
        for card in self.discard:
            state["discard"][card] += 1
        state["discard_count"] = len(self.discard)
        state["deck"][: len(self.deck)] = self.deck[::-1]
        state["deck_count"] = len(self.deck)

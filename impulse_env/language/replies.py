"""Replies of a language model: the calls in them, and the actions that carry these out.

A reply may think aloud; its last line with a call counts. Several calls, separated by semicolons,
are a plan. The plan is cut as soon as another seat decides or a card is seen that was hidden, since
the model could not know what follows. A reply is carried out as a whole or refused as a whole.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from impulse_env.arguments import shown
from impulse_env.engine.action_space import CARD_0, CELL_0, PASS, PLACE_0, SHIPS_0, USE
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import NO_CARD, Op, Seat
from impulse_env.engine.ops import words
from impulse_env.engine.state import B
from impulse_env.errors import ImpulseError, did_you_mean
from impulse_env.frame import AbsoluteAction
from impulse_env.game import Game
from impulse_env.language.calls import (
    ACTIONS,
    ANSWERS,
    PAGES,
    PASS_VERB,
    SIGNATURES,
    TYPES,
    Call,
    choices,
)
from impulse_env.text.describe import offered_card, pending

LONGEST_REPLY: Final = 100_000
"""Characters of a reply that are read, from its end."""
MOST_CALLS: Final = 64
"""Calls of one reply."""
_CALL: Final = re.compile(r"\b([a-z_]{2,24})\s*\(([^()]{0,200})\)")
_ARGUMENT: Final = re.compile(r"\s*([a-z]{1,8})\s*[=:]\s*(.*?)\s*", re.DOTALL)
_RULES: Final = words("rule")


class ReplyError(ImpulseError, ValueError):
    """A reply cannot be carried out; the message is one sentence for the player."""


@dataclass(frozen=True)
class Plan:
    """The actions of a reply.

    Attributes:
        actions: The actions to take now, in order, legal one after the other; at least one.
        calls: The calls of the reply.
        done: Calls that these actions carry out.
        cut: Why the other calls are left out; empty if there are none.
    """

    actions: tuple[AbsoluteAction, ...]
    calls: tuple[Call, ...]
    done: int
    cut: str = ""


# --- Reading ------------------------------------------------------------------------------------


def read_calls(reply: str) -> tuple[Call, ...]:
    """Return the calls of a reply: those of its last line that has one, or a JSON object or list.

    In JSON, a call is ``{"action": "move_fleet", "from": 8, "to": 9}``.

    Raises:
        ReplyError: There is no call, too many calls, or an argument that no call has.
    """
    if not isinstance(reply, str):
        raise ReplyError(f"a reply must be a text, not {shown(reply)}")
    text = reply[-LONGEST_REPLY:].strip().removesuffix("```").rstrip()
    if text.endswith(("}", "]")):
        calls = _read_json(text)
        if calls:
            return calls
    for line in reversed(text.splitlines()):
        calls = tuple(_read_call(*match.groups()) for match in _CALL.finditer(line))
        if calls:
            return _counted(calls)
    raise ReplyError(
        "the reply has no action; end it with one such as add_to_impulse(card=5) or pass()"
    )


def _counted(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    if len(calls) > MOST_CALLS:
        raise ReplyError(f"the reply has {len(calls)} actions; at most {MOST_CALLS} are allowed")
    return calls


def _read_json(text: str) -> tuple[Call, ...]:
    """Return the calls of the JSON at the end of a text; none if that is not JSON of calls."""
    for start in _starts(text):
        try:
            found = msgspec.json.decode(text[start:])
        except (ValueError, RecursionError):
            continue
        found = found if isinstance(found, list) else [found]
        if found and all(isinstance(call, dict) and "action" in call for call in found):
            return _counted(tuple(_call_of(dict(call)) for call in found))
    return ()


def _starts(text: str) -> list[int]:
    """Return where a JSON value that ends the text may begin: its first bracket, its last line."""
    bracket = "[" if text.endswith("]") else "{"
    places = {text.find(bracket), text.rfind("\n" + bracket) + 1, text.rfind(bracket)}
    return sorted(place for place in places if place >= 0)


def _call_of(fields: dict[str, Any]) -> Call:
    verb = fields.pop("action")
    return checked_call(verb, fields)


def checked_call(verb: Any, fields: dict[str, Any]) -> Call:
    """Return a call of JSON values; raises `ReplyError` if a name or a value cannot be."""
    own = _signature(verb)
    arguments: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in own:
            raise _unknown_argument(verb, name)
        if name == "to" and isinstance(value, list):
            value = ">".join(map(str, value))
        arguments[name] = _value(verb, name, value)
    return Call(verb, arguments)


def _signature(verb: Any) -> tuple[str, ...]:
    own = SIGNATURES.get(verb) if isinstance(verb, str) else None
    if own is None:
        known = did_you_mean(str(verb), SIGNATURES) or f"; there are {', '.join(SIGNATURES)}"
        raise ReplyError(f"there is no action {shown(verb)}{known}")
    return own


def _unknown_argument(verb: str, name: object) -> ReplyError:
    own = SIGNATURES[verb]
    allowed = f"it has {' and '.join(own)}" if own else "it has none"
    return ReplyError(f"{verb} has no argument {shown(name)}; {allowed}")


def _read_call(verb: str, inside: str) -> Call:
    own = _signature(verb)
    arguments: dict[str, Any] = {}
    for index, part in enumerate(filter(None, (part.strip() for part in inside.split(",")))):
        match = _ARGUMENT.fullmatch(part)
        if match:
            name, text = match.groups()
            if name not in own:
                raise _unknown_argument(verb, name)
        elif index < len(own):
            name, text = own[index], part
        else:
            raise ReplyError(f"{verb} has at most {len(own)} arguments: {', '.join(own) or 'none'}")
        if name in arguments:
            raise ReplyError(f"{verb} has its argument {name} twice")
        arguments[name] = _value(verb, name, text)
    return Call(verb, arguments)


def _value(verb: str, name: str, value: Any) -> Any:
    """Return the value of an argument, a tuple for a path; raises `ReplyError`."""
    if name == "to" and isinstance(value, str) and ">" in value:
        return tuple(_value(verb, name, part) for part in value.split(">"))
    found: Any = value
    if isinstance(value, str):
        found = value.strip().strip("\"'").lower()
        digits = found.isascii() and found.isdecimal() and len(found) < 4
        found = int(found) if digits else found
    if isinstance(found, bool) or not isinstance(found, int | str) or found not in ACTIONS[name]:
        raise ReplyError(f"{verb}: {name} must be {TYPES[name]}, not {shown(value)}")
    return found


# --- Carrying out -------------------------------------------------------------------------------


def parse(game: Game, reply: str, *, with_legal: bool = True) -> Plan:
    """Return what a reply of the deciding seat does; the game is not changed.

    Args:
        game: A full game, not over.
        reply: The text.
        with_legal: Whether a refusal may list the legal actions.

    Raises:
        ReplyError: The reply cannot be carried out: why, with the page of the rulebook.
    """
    return carry_out(game, read_calls(reply), with_legal=with_legal)


def carry_out(game: Game, calls: tuple[Call, ...], *, with_legal: bool = True) -> Plan:
    """Return the actions of calls of the deciding seat; see `parse`."""
    if game.seat is None:
        raise ReplyError("the game is over: there is nothing to decide")
    trial = _Trial(game, game.seat)
    for number, call in enumerate(calls):
        where = f"action {number + 1} of {len(calls)}, {call}" if len(calls) > 1 else str(call)
        _Carrier(trial, call, where, with_legal).run()
        trial.settle()
        if trial.cut and number + 1 < len(calls):
            return Plan(tuple(trial.actions), calls, number + 1, trial.cut)
    return Plan(tuple(trial.actions), calls, len(calls))


def _hidden(game: Game, seat: Seat) -> tuple[bytes, ...]:
    """Return what changes when the seat sees a card that was hidden from it."""
    state = game.state
    face_down = (state["cell_face_up"] == 0) & (state["cell_card"] != NO_CARD)
    hands = state["hand_count"].copy()
    hands[seat] = 0
    return (
        state["rng"].tobytes(),
        state["deck_count"].tobytes(),
        face_down.tobytes(),
        hands.tobytes(),
    )


class _Trial:
    """A copy of a game in which every decision is asked, so that each argument can be checked."""

    def __init__(self, game: Game, seat: Seat) -> None:
        self.does_force = bool(game.state["auto_forced"])
        state = game.state.copy()
        state["auto_forced"] = 0
        self.game = Game.from_state(state)
        self.seat = seat
        self.hidden = _hidden(game, seat)
        self.actions: list[AbsoluteAction] = []
        self.cut = ""

    @property
    def is_own(self) -> bool:
        """Whether the seat still decides, and has seen nothing new."""
        return not self.cut

    def step(self, action: AbsoluteAction) -> None:
        """Take a legal action; note it, unless the game takes it itself."""
        if not (self.does_force and len(self.game.legal_actions()) == 1):
            self.actions.append(action)
        self.game.step(action)
        if self.game.seat is None:
            self.cut = "the game is over"
        elif self.game.seat != self.seat:
            self.cut = "another seat decides"
        elif _hidden(self.game, self.seat) != self.hidden:
            self.cut = "a hidden card was shown"

    def settle(self) -> None:
        """Take the decisions that the game takes itself, up to the next one of the seat."""
        while self.does_force and self.is_own:
            legal = self.game.legal_actions()
            if len(legal) > 1:
                return
            self.step(legal[0])


class _Carrier:
    """Carries out one call on a trial, one decision for each argument."""

    def __init__(self, trial: _Trial, call: Call, where: str, with_legal: bool) -> None:
        self.trial, self.call, self.where, self.with_legal = trial, call, where, with_legal
        self.left: dict[str, Any] = dict(call.arguments)
        self.path: list[Any] = []
        if "to" in self.left:
            to = self.left.pop("to")
            self.path = list(to) if isinstance(to, tuple) else [to]

    def run(self) -> None:
        """Take the decisions that the call answers; raises `ReplyError`."""
        self._drop_settled()
        answered = 0
        while self.trial.is_own:
            action = self._answer(is_first=not answered)
            if action is None:
                break
            self.trial.step(action)
            answered += 1
        if not answered:
            raise self._illegal()
        unused = [*self.left, *(["to"] if self.path else [])]
        if unused:
            raise self._illegal(unused[0])

    def _drop_settled(self) -> None:
        """Leave out arguments that repeat what was decided before; the fleet and its ships."""
        state = self.trial.game.state
        op, frame = pending(state)
        if op in (Op.CHOOSE_SHIPS, Op.CHOOSE_MOVE) and state["fleet_count"]:
            fleet = int(state["fleet_count"]) - 1
            self._drop("from", PLACE_0 + int(state["fleet_from"][fleet]))
            if op == Op.CHOOSE_MOVE:
                self._drop("ships", SHIPS_0 + int(state["fleet_ships"][fleet]))
        elif op == Op.BUILD_SHIP:
            self._drop("at", CELL_0 + frame[B])

    def _drop(self, name: str, action: AbsoluteAction) -> None:
        if name in self.left and ACTIONS[name][self.left[name]] == action:
            del self.left[name]

    def _answer(self, *, is_first: bool) -> AbsoluteAction | None:
        """Return the call's action in the pending decision; None if that is not the call's."""
        game = self.trial.game
        legal = game.legal_actions()
        op = pending(game.state)[0]
        if self.call.verb == PASS_VERB:
            return PASS if is_first and PASS in legal else None
        for answer in ANSWERS[op]:
            if answer.verb != self.call.verb:
                continue
            if answer.is_offer:
                return self._offered(legal) if is_first else None
            action = self._chosen(answer.argument)
            if action is not None:
                if action not in legal:
                    raise self._illegal(answer.argument)
                return action
            if is_first:
                continue
            # Later decisions of the call have a natural answer, if nothing else was said.
            if op == Op.CHOOSE_SHIPS:
                return legal[-1]
            if op == Op.CHOOSE_MOVE and PASS in legal:
                return PASS
            if self.trial.does_force and len(legal) == 1:
                return legal[0]
        return None

    def _chosen(self, argument: str) -> AbsoluteAction | None:
        """Take the argument's next value out of the call and return its action."""
        if argument == "to":
            return ACTIONS["to"][self.path.pop(0)] if self.path else None
        return ACTIONS[argument][self.left.pop(argument)] if argument in self.left else None

    def _offered(self, legal: list[AbsoluteAction]) -> AbsoluteAction | None:
        card = self.left.pop("card", None)
        if USE not in legal:
            return None
        offered = offered_card(self.trial.game.state)
        if card is not None and ACTIONS["card"][card] - CARD_0 != offered:
            raise ReplyError(
                f"{self.where}: card {NUMBER_BY_CARD[offered]} is on offer ({self._page()})"
            )
        return USE

    # --- Refusals -------------------------------------------------------------------------------

    def _page(self) -> str:
        return PAGES[pending(self.trial.game.state)[0]]

    def _illegal(self, argument: str = "") -> ReplyError:
        """Return the refusal of the call, or of one of its arguments, in the pending decision."""
        state = self.trial.game.state
        op = pending(state)[0]
        what = ""
        if argument:
            values = self.call.arguments[argument]
            shown_value = ">".join(map(str, values)) if isinstance(values, tuple) else values
            what = f"{argument}={shown_value} "
        rule = _RULES[op].partition(" (p")[0].rstrip(".")
        reason = f"; {rule[0].lower()}{rule[1:]}" if rule else ""
        allowed = ""
        if self.with_legal:
            legal = self.trial.game.legal_actions()
            allowed = "; legal: " + ", ".join(map(str, choices(state, legal)))
        kind = op.name.lower()
        return ReplyError(
            f"{self.where}: {what}is not possible in the decision {kind}{reason} "
            f"({self._page()}){allowed}"
        )

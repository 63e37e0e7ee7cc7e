"""Builders of hand-made games and short ways to play and read them.

A test names only what matters: `using(57, hand=[2])` is a game of two in which seat 0 has just
begun to use card 57 of the Impulse. Cards are printed numbers, cells 1-19, gates "a-b":

             1     2     3
          4     5     6     7
       8     9    10    11    12          seat 0 lives on 8, seat 1 on 12
         13    14    15    16
            17    18    19
"""

from typing import Any

from impulse_env.actions import CELL_NAMES, GATE_NAMES
from impulse_env.engine.cards import CARD_BY_NUMBER, NUMBER_BY_CARD
from impulse_env.game import Game

CELLS = tuple(cell for cell in range(1, 20) if cell != 10)
"""The cells with a card: all but the Sector Core."""
AFTER = 106
"""The card after the one under test on the Impulse: blue, size 3, of no use without minerals."""
_RACES = ("piscesish", "ariek", "herculese", "draconians", "triangulumnists", "caelumnites")
_SEAT_FIELDS = (
    "race", "score", "points", "hand", "known", "plan", "next_plan", "minerals", "techs",
    "transports", "cruisers", "eliminated",
)  # fmt: skip


# --- Building ---------------------------------------------------------------------------------


def game(
    *,
    rival: dict[str, Any] | None = None,
    others: list[dict[str, Any]] | None = None,
    explored: bool = True,
    config: dict[str, Any] | None = None,
    **fields: Any,
) -> Game:
    """Return a game at the start of a phase.

    Args:
        rival: Fields of seat 1 in a game of two, e.g. ``{"hand": [2], "cruisers": {"6-10": 1}}``.
        others: Instead of `rival`, the fields of seat 1, 2, … in a game of more than two.
        explored: Whether all cells but those in `face_down` are face-up.
        config: Options; `auto_forced` is off unless named, so that every step is seen.
        **fields: Fields of seat 0 (``hand=[7, 8], score=19``) and of the position (``deck=[5],
            impulse=[57], phase="use_tech", face_up={9: 57}, team_size=2``).

    Without `transports` and `cruisers` a seat has two Transports at home and one Cruiser on the
    gate towards the Sector Core. With a given `deck` all unnamed cards are in the discard pile;
    if `discard` is given too, they are minerals of the last seat.
    """
    own = {name: fields.pop(name) for name in _SEAT_FIELDS if name in fields}
    seats = [own, *(others if others is not None else [rival or {}])]
    free = [race for race in _RACES if all(race != seat.get("race") for seat in seats)]
    seats = [{"race": seat.get("race") or free.pop(0), **seat} for seat in seats]
    position = {
        "players": len(seats),
        "config": {"auto_forced": False, **(config or {})},
        "seats": seats,
        **fields,
    }
    if "deck" in fields and "discard" in fields:
        position = _buried(position)
    if explored:
        filled = Game.from_position(position).to_position()
        # What was to be shuffled is shuffled already; the cells that are left turn face-up.
        face_down = {str(cell): card for cell, card in fields.get("face_down", {}).items()}
        position = filled | {
            "face_down": face_down,
            "face_up": filled["face_up"]
            | {cell: card for cell, card in filled["face_down"].items() if cell not in face_down},
        }
    return Game.from_position(position)


def _buried(position: dict[str, Any]) -> dict[str, Any]:
    """Return the position with the unnamed cards out of the way, the map's being named."""
    piles = {name: list(position[name]) for name in ("deck", "discard")}
    rest = {name: value for name, value in position.items() if name != "discard"}
    filled = Game.from_position(rest | {"deck": piles["deck"] + piles["discard"]}).to_position()
    # With an empty deck the game has shuffled at once, so unnamed cards may be in either pile.
    unnamed = filled["deck"] + filled["discard"]
    for card in piles["deck"] + piles["discard"]:
        unnamed.remove(NUMBER_BY_CARD[CARD_BY_NUMBER[card]])
    filled["seats"][-1]["minerals"] += unnamed
    return filled | piles


def using(card: int, *, after: int = AFTER, **fields: Any) -> Game:
    """Return a game in which seat 0 has just chosen to use `card` of the Impulse.

    `impulse` may name the Impulse cards before it, which were offered already. The card `after` it
    is where the game rests once the action is over: `is_done` tells. In a team game this is the
    Impulse of the first team; `rival_impulses` are those of the others.
    """
    before = fields.pop("impulse", [])
    rival_impulses = fields.pop("rival_impulses", None)
    row = [*before, card, after]
    if fields.get("team_size"):
        team_count = (1 + len(fields["others"])) // fields["team_size"]
        row = [row, *(rival_impulses or [[] for _ in range(team_count - 1)])]
    made = game(impulse=row, phase="use_impulse", cursor=len(before), **fields)
    made.step("use")
    return made


def is_done(made: Game) -> bool:
    """Whether the action of `using` is over: seat 0 is offered the next Impulse card.

    Then nothing of it may be left in the record: the same position, read again, is equal.
    """
    if made.decision.kind != "use_impulse" or made.seat != 0:
        return False
    assert Game.from_position(made.to_position()) == made
    return True


# --- Playing ----------------------------------------------------------------------------------


def names(made: Game) -> list[str]:
    """Return the names of the legal actions."""
    return [made.name(action) for action in made.legal_actions()]


def play(made: Game, *actions: str) -> Game:
    """Take one action after another, each of which must be legal; return the game."""
    for action in actions:
        legal = names(made)
        assert made.name(made.action(action)) in legal, (
            f"{action!r} is not legal at {made.decision.kind}; legal are {legal}"
        )
        made.step(action)
    return made


def pass_until(made: Game, kind: str) -> Game:
    """Pass until a decision of that kind is pending."""
    for _ in range(50):
        if made.decision.kind == kind:
            return made
        play(made, "pass")
    raise AssertionError(f"no {kind} came within 50 passes")


# --- Reading: at any time, while `to_position` serves between effects only --------------------


def _numbers(cards: Any) -> list[int]:
    return [NUMBER_BY_CARD[int(card)] for card in cards]


def _pile(counts: Any) -> list[int]:
    return [NUMBER_BY_CARD[face] for face, count in enumerate(counts) for _ in range(int(count))]


def hand(made: Game, seat: int = 0) -> list[int]:
    """Return the cards in hand, ascending; like all cards by the lowest number of their face."""
    return _numbers(made.state["hand"][seat, : made.state["hand_count"][seat]])


def known(made: Game, seat: int = 0) -> list[int]:
    """Return the hand cards that everybody knows (R12)."""
    return _numbers(made.state["known"][seat, : made.state["known_count"][seat]])


def plan(made: Game, seat: int = 0) -> list[int]:
    """Return the Plan, oldest first, without the next Plan."""
    return _numbers(made.state["plan"][seat, : made.state["plan_count"][seat]])


def next_plan(made: Game, seat: int = 0) -> list[int]:
    """Return what was planned while the Plan is in use, oldest first."""
    used = int(made.state["plan_count"][seat])
    return _numbers(made.state["plan"][seat, used : used + made.state["next_plan_count"][seat]])


def minerals(made: Game, seat: int = 0) -> list[int]:
    """Return the mineral cards, ascending."""
    return _pile(made.state["minerals"][seat])


def techs(made: Game, seat: int = 0) -> list[int | str]:
    """Return the two Techs, "basic" or a card."""
    return [
        "basic" if tech < 0 else NUMBER_BY_CARD[int(tech)] for tech in made.state["techs"][seat]
    ]


def deck(made: Game) -> list[int]:
    """Return the deck, next card first."""
    return _numbers(made.state["deck"][: made.state["deck_count"]][::-1])


def discard(made: Game) -> list[int]:
    """Return the discard pile, ascending."""
    return _pile(made.state["discard"])


def impulse(made: Game, team: int = 0) -> list[int]:
    """Return the (team's) Impulse, oldest first."""
    return _numbers(made.state["impulse"][team, : made.state["impulse_count"][team]])


def table(made: Game) -> list[int]:
    """Return the face-up cards between the zones, latest last."""
    return _numbers(made.state["table"][: made.state["table_count"]])


def face_up(made: Game, cell: int) -> int | None:
    """Return the face-up card of a cell, None if it is face-down."""
    is_up = bool(made.state["cell_face_up"][cell - 1])
    return NUMBER_BY_CARD[int(made.state["cell_card"][cell - 1])] if is_up else None


def transports(made: Game, seat: int = 0) -> dict[int, int]:
    """Return the Transports of a seat: {cell: ships}."""
    row = made.state["transports"][seat]
    return {int(name): int(row[cell]) for cell, name in enumerate(CELL_NAMES) if row[cell]}


def cruisers(made: Game, seat: int = 0) -> dict[str, int]:
    """Return the Cruisers of a seat: {gate: ships}."""
    owners, ships = made.state["gate_owner"], made.state["gate_ships"]
    return {name: int(ships[gate]) for gate, name in enumerate(GATE_NAMES) if owners[gate] == seat}


def points(made: Game, seat: int = 0) -> int:
    """Return the score of a seat."""
    return made.scores[seat]

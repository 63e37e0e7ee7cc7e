"""A table as a page shows it: made from the view of its seat, so without hidden information."""

from dataclasses import asdict
from typing import Any, Final

from impulse_agents.base import Advice
from impulse_env import drawing
from impulse_env.actions import action_of, name_of
from impulse_env.engine.action_space import CARD_0, PLACE_0
from impulse_env.engine.constants import CELLS, FACES, NO_CARD, State
from impulse_env.engine.state import A
from impulse_env.information import as_seen
from impulse_env.outcomes import turn_number
from impulse_env.text.describe import (
    describe_action,
    kind_of,
    offered_card,
    pending,
    prompt_of,
)
from impulse_table.sessions.presence import Presence
from impulse_table.tables.journal import Viewer
from impulse_table.tables.table import Table

_OFFERS: Final = ("use_impulse", "use_plan_card", "activate", "keep_revealed", "use_executed")
"""Kinds of decision that ask about one card on the table: a click on it uses it."""
_ZONES: Final = {"research_planned": "plan", "refine_card": "minerals"}
"""The zone of the cards that a decision is about, by its kind; all others are about the hand."""


def position(table: Table, by: Viewer) -> dict[str, Any]:
    """Return the state of the game and the current decision, JSON-able.

    Args:
        table: The table.
        by: The viewer; only the deciding seat gets the options.
    """
    game = table.game
    view = as_seen(game.state, by)
    options = game.legal_actions() if by is not None and by == table.deciding_person else []
    kind = kind_of(view)
    offered = offered_card(view) if kind in _OFFERS else NO_CARD
    return {
        "step": table.step,
        "turn": turn_number(game.state),
        "active": int(view["active"]),
        "decides": None if table.is_over else game.seat,
        "kind": kind,
        "prompt": prompt_of(view),
        "offered": name_of(CARD_0 + offered) if 0 <= offered < FACES else None,
        "zone": _ZONES.get(kind, "hand"),
        **(_places(view, kind) if options else {"onto": None, "moving": None}),
        "options": [
            {"action": name_of(option), "text": describe_action(view, option)} for option in options
        ],
        "scores": game.scores,
        "target": int(view["target_score"]),
        "over": table.is_over,
        "winners": table.winners,
    }


def _places(view: State, kind: str) -> dict[str, str | None]:
    """Return the place on the map of a card of the hand, and that of the fleet that moves."""
    onto, moving = None, None
    if kind == "place_explored":
        onto = pending(view)[1][A]
    elif kind == "reinforce":
        onto = CELLS + int(view["battle_gate"])
    elif kind == "choose_move":
        moving = int(view["fleet_from"][int(view["fleet_count"]) - 1])
    return {
        "onto": None if onto is None else name_of(PLACE_0 + onto),
        "moving": None if moving is None else name_of(PLACE_0 + moving),
    }


def parts(table: Table, by: Viewer) -> dict[str, str]:
    """Return the drawing, part by part, as a viewer sees it, without its style sheet."""
    drawn = drawing.parts(table.game.state, by)
    del drawn["style"]
    return drawn


def seats(table: Table, people: Presence | None) -> list[dict[str, Any]]:
    """Return the players of the seats, and for how long persons are away; contains no token.

    ``stand_in`` is the agent that plays for a person; ``delegated`` says whether the person has
    chosen it, and takes the seat back at a time of their choice. Without `people`, all are there.
    """
    teams = int(table.game.state["teams"])
    is_team = teams < table.game.players
    return [
        {
            "seat": seat,
            "player": holder.player,
            "person": holder.is_person,
            "name": holder.name,
            "away": None if people is None or holder.has_resigned else people.away(seat),
            "stand_in": table.agent_at(seat) if holder.is_person else None,
            "delegated": holder.agent is not None,
            "resigned": holder.has_resigned,
            "late": _late(table, seat),
            "team": seat % teams if is_team else None,
        }
        for seat, holder in enumerate(table.saved.seats)
    ]


def _late(table: Table, seat: int) -> str | None:
    """Return which time of a seat is used up, ``turn`` or ``game``; None: neither."""
    if table.saved.clock is not None and table.saved.clock.is_up(seat):
        return "game"
    return "turn" if seat in table.late else None


def advice(table: Table, given: Advice) -> dict[str, Any]:
    """Return an agent's advice, JSON-able; the game must still be at the same decision."""
    view = as_seen(table.game.state, table.game.seat)
    return {
        "by": given.by,
        "wins": given.wins,
        "error": given.error,
        "suggestions": [
            {
                **asdict(suggestion),
                "text": describe_action(view, action_of(suggestion.action), with_text=False),
            }
            for suggestion in given.suggestions
        ],
    }

"""A game as readable text while it is played: position, deciding seat and legal actions."""

from collections.abc import Callable, Iterator
from typing import Final

from impulse_env.actions import GATE_NAMES
from impulse_env.engine.constants import BASIC_TECH, NO_RACE, Color, State
from impulse_env.game import Game
from impulse_env.options import RACE_NAMES
from impulse_env.outcomes import turn_number
from impulse_env.text.describe import card_label

_LEGAL_SHOWN: Final = 12


Choose = Callable[[Game], int]


def describe_state(state: State) -> Iterator[str]:
    """Yield lines that describe the position."""
    rows = int(state["teams"]) if state["teams"] < state["players"] else 1
    for row in range(rows):
        cards = state["impulse"][row, : state["impulse_count"][row]]
        which = f" of team {row}" if rows > 1 else ""
        yield f"  Impulse{which}: " + (
            ", ".join(card_label(int(card)) for card in cards) or "empty"
        )
    for seat in range(int(state["players"])):
        race = int(state["race"][seat])
        planned = state["plan"][seat, : state["plan_count"][seat]]
        gems = ", ".join(
            f"{int(state['gems'][seat, color])} {color.name.lower()}"
            for color in Color
            if state["gems"][seat, color]
        )
        ships = [
            f"{int(count)}T at {cell + 1}"
            for cell, count in enumerate(state["transports"][seat])
            if count
        ] + [
            f"{int(state['gate_ships'][gate])}C at {name}"
            for gate, name in enumerate(GATE_NAMES)
            if state["gate_owner"][gate] == seat
        ]
        techs = [card_label(int(card)) for card in state["techs"][seat] if card != BASIC_TECH]
        parts = [
            f"seat {seat}",
            "no race" if race == NO_RACE else RACE_NAMES[race],
            f"{int(state['score'][seat])} points",
            f"{int(state['hand_count'][seat])} in hand",
            "eliminated" if state["eliminated"][seat] else " ".join(ships) or "no ships",
        ]
        if gems:
            parts.append(f"gems: {gems}")
        if len(planned):
            parts.append("Plan: " + ", ".join(card_label(int(card)) for card in planned))
        if techs:
            parts.append("Techs: " + ", ".join(techs))
        yield "  " + "; ".join(parts)


def play_lines(game: Game, choose: Choose) -> Iterator[str]:
    """Play a game to its end and yield its text, line by line."""
    turn = -1
    while game.seat is not None:
        state = game.state
        if game.turn != turn:
            turn = game.turn
            yield ""
            yield f"Turn {turn_number(state)}, seat {int(state['active'])}"
            yield from describe_state(state)
        legal = game.legal_actions()
        action = choose(game)
        names = ", ".join(game.name(a) for a in legal[:_LEGAL_SHOWN])
        more = f", and {len(legal) - _LEGAL_SHOWN} more" if len(legal) > _LEGAL_SHOWN else ""
        yield f"  [{game.decision.kind}] seat {game.seat}: {game.decision.prompt}"
        yield f"      legal: {names}{more}"
        yield f"    > {game.name(action)}: {game.describe(action)}"
        game.step(action)
    yield ""
    yield from describe_state(game.state)
    winners = " and ".join(f"seat {seat}" for seat in game.winners)
    ending = f"{winners} won" if winners else "truncated, nobody won"
    yield f"The end, in turn {turn_number(game.state)}: {ending}; points {game.scores}"

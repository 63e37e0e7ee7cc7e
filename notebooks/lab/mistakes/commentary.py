"""Comments a game turn by turn: the actions, their results, and the chance to win.

All facts come from the record, so a sentence states what happened, whoever could see it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.playing.continuations import step_until, streams_of
from impulse_agents.playing.game_runner import RecordingRunner
from impulse_env.actions import action_of
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.constants import CELLS, Seat, State
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.outcomes import SOURCES
from impulse_env.records.record import Header, Record, SeatedAgent, options_of, record_of
from impulse_env.text.describe import card_label, offered_card

_FOR: Final = (
    "patrolling the Sector Core",
    "activating the Sector Core",
    "trading",
    "refining",
    "winning battles",
    "destroying ships",
)
"""The reasons for points, in the order of `SOURCES`."""
_USES: Final = frozenset({"use_impulse", "use_plan_card"})


@dataclass(frozen=True)
class Turn:
    """A turn of a game.

    Attributes:
        number: Which it is, counted from 0.
        seat: Whose it is.
        before: The record at its first decision.
        after: The record at the first decision of the next turn, or at the end.
        text: What happened, in English.
    """

    number: int
    seat: Seat
    before: State
    after: State
    text: str


def recorded(
    agents: Sequence[Agent], options: Options, deals: Sequence[int], seed: int = 0
) -> list[Record]:
    """Play games, one for each deal, and return their records.

    Args:
        agents: One for each seat.
        options: Of the games.
        deals: Seeds of the deals.
        seed: Of the agents' chance.

    Raises:
        AgentError: An agent does not play such games.
    """
    players, numbers = options.players, np.asarray(deals, np.int64)
    for agent in agents:
        agent.check_players(players)
    by_seat = np.tile(np.arange(players), (len(numbers), 1))
    streams = streams_of(players, seed, numbers)
    tables = RecordingRunner(agents, options, numbers, by_seat, streams)
    tables.play_to_end()
    seated = tuple(SeatedAgent(agent.name) for agent in agents)
    return [
        record_of(Header(options, seated, seed=int(deal)), actions)
        for deal, actions in zip(numbers, tables.actions, strict=True)
    ]


def chances(record: Record, judge: PolicyAgent, seat: Seat) -> pd.DataFrame:
    """Return how likely a seat was to win at each of its decisions, from what it knew then.

    Args:
        record: The game.
        judge: A trained agent that is calibrated.
        seat: Whose chance.

    Returns:
        A row for each decision of that seat: ``number``, ``turn`` and ``chance``, 0 to 1. A last
        row is the end: 1 for a game won, else 0.
    """
    seen, states, rows = [], [], []
    for number, (move, game) in enumerate(zip(record.moves, record.games(), strict=False)):
        if move.seat == seat:
            seen.append(ObservationBatch.from_game(game).observations)
            states.append(np.array([game.state]))
            rows.append((number, game.turn))
    values = judge.evaluate(np.concatenate(seen))[1]
    found = pd.DataFrame(rows, columns=["number", "turn"])
    seats = np.full(len(rows), seat, np.int8)
    found["chance"] = judge.win_probabilities(values, np.concatenate(states), seats)
    assert record.result is not None, "the game was played to its end"
    end = {"number": len(record.moves), "turn": record.result.turns + 1}
    won = float(seat in record.result.winners)
    return pd.concat([found, pd.DataFrame([{**end, "chance": won}])], ignore_index=True)


def turns(record: Record, names: Sequence[str]) -> list[Turn]:
    """Return the turns of a game, after set-up.

    Args:
        record: The game, played to its end.
        names: What the players are called, by seat.
    """
    states = [game.state.copy() for game in record.games()]
    kinds = [game.decision.kind for game in record.games()]
    begins = [at for at, kind in enumerate(kinds) if _begins_turn(states, kinds, at)]
    found = []
    for begin, end in zip(begins, [*begins[1:], len(states) - 1], strict=True):
        before, after = states[begin], states[end]
        seat = int(before["active"])
        added, used = [], []
        for at in range(begin, end):
            move = record.moves[at]
            if move.seat == seat and kinds[at] == "add_impulse":
                added.append(card_label(action_of(move.action) - CARD_0))
            elif kinds[at] in _USES and move.action == "use":
                used.append(card_label(offered_card(states[at])))
        if not added and after["impulse_count"][0]:
            added = [card_label(int(after["impulse"][0, after["impulse_count"][0] - 1]))]
        text = _sentence(names, seat, added, used, before, after)
        found.append(Turn(int(before["turn"]), seat, before, after, text))
    return found


def turn_from(state: State, agents: Sequence[Agent], names: Sequence[str], seed: int = 0) -> Turn:
    """Play one turn of a position, and tell it.

    Args:
        state: The full record at the start of a turn; it stays as it is.
        agents: One for each seat.
        names: What the players are called, by seat.
        seed: Of the agents' chance.
    """
    game = Game.from_state(state)
    options, seated = options_of(game), tuple(SeatedAgent(agent.name) for agent in agents)
    by_seat, streams = np.arange(options.players)[None], streams_of(options.players, seed, [0])
    tables = RecordingRunner(agents, options, np.array([state]), by_seat, streams)
    step_until(tables, lambda batch: batch.states["turn"] > state["turn"])
    record = record_of(Header.of_game(game, seated), tables.actions[0], why="one turn")
    return turns(record, names)[0]


def rest_of_turn(game: Game, action: int, agent: Agent, rng: np.random.Generator) -> list[str]:
    """Return what is done in the rest of a turn, in words, a sentence for each decision.

    Args:
        game: At a decision of the turn; it is played on to the next turn, or to its end.
        action: What is done first, absolute.
        agent: Plays all seats from there.
        rng: The agent's random generator.
    """
    turn, words = game.turn, []
    while True:
        words.append(f"seat {game.seat}: {game.describe(action)}")
        game.step(action)
        if game.is_over or game.turn != turn:
            return words
        action = ask_in_game(agent, game, rng)


def _begins_turn(states: Sequence[State], kinds: Sequence[str], at: int) -> bool:
    """Whether the first decision of a turn is at this place of a game."""
    if kinds[at] in ("place_home", "draft_race", "over"):
        return False
    is_first = at == 0 or kinds[at - 1] in ("place_home", "draft_race")
    return is_first or states[at]["turn"] != states[at - 1]["turn"]


def _sentence(
    names: Sequence[str],
    seat: Seat,
    added: Sequence[str],
    used: Sequence[str],
    before: State,
    after: State,
) -> str:
    """Return the sentences of a turn."""
    name = names[seat]
    first = f"adds {added[0]} to the Impulse" if added else "adds nothing to the Impulse"
    first += f" and uses {_listed(used)}" if used else " and uses none of its cards"
    did = [words for words in _changes(seat, before, after) if words]
    sentences = [f"{name} {first}."]
    if did:
        sentences.append(f"It {_listed(did)}.")
    for other, other_name in enumerate(names):
        if other != seat and (words := _of_other(other, before, after)):
            sentences.append(f"{other_name} {words}.")
    return " ".join(sentences)


def _changes(seat: Seat, before: State, after: State) -> list[str]:
    """Return what a turn changed for whose turn it was, each as words after "It"."""
    old, new = ships_of(before, seat), ships_of(after, seat)
    more = new - old
    found = [
        _if(more[0] > 0, f"has {_count(more[0], 'Transport')} more"),
        _if(more[1] > 0, f"has {_count(more[1], 'Cruiser')} more"),
        _if(-more.min() > 0, f"loses {_count(-more.clip(max=0).sum(), 'ship')}"),
    ]
    mined = _rise(before["gems"][seat].sum(), after["gems"][seat].sum())
    found.append(_if(mined > 0, f"gains {_count(mined, 'gem')}"))
    planned = _rise(before["plan_count"][seat], after["plan_count"][seat])
    found.append(_if(planned > 0, f"plans {_count(planned, 'card')}"))
    has_tech = bool((before["techs"][seat] != after["techs"][seat]).any())
    found.append(_if(has_tech, "has a new Tech"))
    gained = after["points"][seat].astype(int) - before["points"][seat]
    scored = [f"{gained[s]} for {_FOR[s]}" for s in range(len(SOURCES)) if gained[s]]
    points = _count(gained[: len(SOURCES)].sum(), "point")
    found.append(_if(bool(scored), f"scores {points} ({_listed(scored)})"))
    return found


def _of_other(seat: Seat, before: State, after: State) -> str:
    """Return what a turn did to somebody else, empty if nothing."""
    lost = int((ships_of(before, seat) - ships_of(after, seat)).sum())
    gained = int(after["score"][seat]) - int(before["score"][seat])
    words = [
        _if(lost > 0, f"loses {_count(lost, 'ship')}"),
        _if(gained > 0, f"scores {_count(gained, 'point')}"),
    ]
    return _listed([word for word in words if word])


def ships_of(state: State, seat: Seat) -> np.ndarray:
    """Return how many Transports and Cruisers a seat has on the map, shape ``(2,)``."""
    transports = int(state["transports"][seat][:CELLS].sum())
    cruisers = int(state["gate_ships"][state["gate_owner"] == seat].sum())
    return np.array([transports, cruisers])


def _rise(before: int, after: int) -> int:
    return int(after) - int(before)


def _if(is_so: bool, words: str) -> str:
    return words if is_so else ""


def _count(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _listed(words: Sequence[str]) -> str:
    """Return "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))

"""Conversion of games to pandas tables of games, seats, turns, decisions and battles."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_env.actions import NAMES
from impulse_env.analysis.battles import battle_columns
from impulse_env.analysis.columns import CATEGORIES, NO_RACE_YET, PLANS, POINTS, frame, no_rows
from impulse_env.analysis.decision_log import NOT_RECORDED, Log, replay
from impulse_env.arguments import checked_integer
from impulse_env.batch import turns_played
from impulse_env.engine.action_space import PASS, TECH_0, USE
from impulse_env.engine.cards import (
    ACTION_BY_CARD,
    COLOR_BY_CARD,
    COPIES_BY_CARD,
    NUMBER_BY_CARD,
    SIZE_BY_CARD,
    TEXT_BY_CARD,
)
from impulse_env.engine.constants import COMMON_TECH, MAX_PLAYERS, RACE_TECH, Color, Op
from impulse_env.engine.sector_map import HOMES
from impulse_env.options import RACE_NAMES
from impulse_env.records.recorded_games import RecordedGame

GAMES_AT_ONCE: Final = 500
"""Number of games replayed at once: more take more memory and are hardly faster."""
_NUMBERS: Final = np.array([*NUMBER_BY_CARD, 0], np.int16)
"""Printed number of each face, with a final 0 for the index NO_CARD, -1."""
_SETUP: Final = -1


@dataclass(frozen=True)
class Tables:
    """The tables of some games; `COLUMNS` gives the meaning of every column.

    Attributes:
        games: A row for each game.
        seats: A row for each seat of each game.
        turns: A row for each player turn.
        decisions: A row for each decision, including those with one legal action.
        battles: A row for each battle.
    """

    games: pd.DataFrame
    seats: pd.DataFrame
    turns: pd.DataFrame
    decisions: pd.DataFrame
    battles: pd.DataFrame


def tables(plays: Iterable[RecordedGame]) -> Tables:
    """Return the tables of games, all in memory; use `stream` for more games than fit.

    Raises:
        RecordError: A game differs from its record.
    """
    names = [field.name for field in fields(Tables)]
    parts = list(stream(plays))
    if not parts:
        return Tables(*map(no_rows, names))
    return Tables(
        *(pd.concat([getattr(part, name) for part in parts], ignore_index=True) for name in names)
    )


def stream(plays: Iterable[RecordedGame], games: int = GAMES_AT_ONCE) -> Iterator[Tables]:
    """Yield the tables of `games` games at a time, with consecutive numbers of games.

    Raises:
        ArgumentError: `games` is not an integer of 1 or more.
        RecordError: A game differs from its record.
    """
    games = checked_integer("games", games, 1)
    left, first = iter(plays), 0
    while some := list(islice(left, games)):
        yield _tables_of(some, first)
        first += len(some)


def cards() -> pd.DataFrame:
    """Return a table of the printed faces, to merge with a column of card numbers.

    The columns are ``card`` (lowest printed number), ``type`` (one of ten), ``color``, ``size``
    (icons), ``copies`` and ``text``.
    """
    return pd.DataFrame(
        {
            "card": _NUMBERS[:-1],
            "type": pd.Series(ACTION_BY_CARD, dtype="str"),
            "color": pd.Series([Color(color).name.lower() for color in COLOR_BY_CARD], dtype="str"),
            "size": SIZE_BY_CARD.astype(np.int8),
            "copies": COPIES_BY_CARD.astype(np.int8),
            "text": pd.Series(TEXT_BY_CARD, dtype="str"),
        }
    )


def _tables_of(plays: list[RecordedGame], first: int) -> Tables:
    """Return the tables of games that are replayed at once, numbered from `first`."""
    log = replay(plays)
    gained = log.gained()
    shared = _Shared(log, gained, first)
    battles = battle_columns(log, gained, first)
    return Tables(
        frame("games", _game_columns(shared)),
        frame("seats", _seat_columns(shared)),
        frame("turns", _turn_columns(shared)),
        frame("decisions", _decision_columns(shared)),
        frame("battles", battles) if battles else no_rows("battles"),
    )


class _Shared:
    """Values of a log that several tables need; R rows, G games."""

    def __init__(self, log: Log, gained: NDArray[np.int16], first: int) -> None:
        rows = log.rows
        self.log, self.rows, self.gained, self.first = log, rows, gained, first
        self.each = np.arange(len(rows))
        self.players = np.array([len(play.header.agents) for play in log.plays], np.int64)
        self.sides = log.ends["teams"].astype(np.int64)
        # By game and seat; seats that a game lacks have no name and are never looked up.
        self.names = np.full((len(log.plays), MAX_PLAYERS), "", object)
        for game, play in enumerate(log.plays):
            self.names[game, : len(play.header.agents)] = [a.name for a in play.header.agents]

    def rounds(self, turns: NDArray[Any], games: NDArray[Any]) -> NDArray[np.int64]:
        """Return the round of each turn, 0 in setup."""
        return np.where(turns == _SETUP, 0, turns // self.players[games] + 1)

    def agents(self, seats: NDArray[Any], games: NDArray[Any]) -> NDArray[np.object_]:
        """Return the agents on those seats of those games."""
        names: NDArray[np.object_] = self.names[games, seats]
        return names

    def leads(self, rows: NDArray[np.intp], seats: NDArray[Any]) -> NDArray[np.int64]:
        """Return a seat's points ahead of the best other side in some rows."""
        games, scores = self.rows["game"][rows], self.rows["score"][rows].astype(np.int64)
        everyone = np.arange(MAX_PLAYERS)
        sides = self.sides[games][:, None]
        is_other = (everyone % sides != seats[:, None] % sides) & (
            everyone < self.players[games][:, None]
        )
        best = np.where(is_other, scores, -1).max(axis=1, initial=-1)
        lead: NDArray[np.int64] = scores[np.arange(len(rows)), seats] - best
        return lead

    def hands(self, rows: NDArray[np.intp]) -> list[tuple[int, ...]]:
        """Return the hand of the seat that decides in some rows, as printed numbers."""
        numbers = _NUMBERS[self.rows["hand"][rows]].tolist()
        counts = self.rows["hand_count"][rows].tolist()
        return [tuple(hand[:count]) for hand, count in zip(numbers, counts, strict=True)]


def _decision_columns(shared: _Shared) -> dict[str, Any]:
    rows, games, seats = shared.rows, shared.rows["game"], shared.rows["seat"]
    own = shared.gained[shared.each, seats].sum(axis=1)
    notes = np.full((len(rows), 3), np.nan)
    for game, play in enumerate(shared.log.plays):
        recorded = np.flatnonzero((games == game) & (rows["recorded"] != NOT_RECORDED))
        notes[recorded] = play.notes
    effect = rows["effect"]
    return {
        "game": shared.first + games.astype(np.int64),
        "number": rows["recorded"],
        "turn": rows["turn"],
        "round": shared.rounds(rows["turn"], games),
        "seat": seats,
        "agent": shared.agents(seats, games),
        "active": rows["active"],
        "kind": np.array(CATEGORIES["kind"], object)[rows["op"]],
        "legal": rows["legal"],
        "action": np.array(NAMES, object)[rows["action"]],
        "card": _NUMBERS[rows["card"]],
        "effect": np.select(
            [effect == COMMON_TECH, effect == RACE_TECH], [-1, -2], _NUMBERS[np.maximum(effect, -1)]
        ),
        "score": rows["score"][shared.each, seats],
        "lead": shared.leads(shared.each, seats),
        "gained": own,
        "gained_by_others": shared.gained.sum(axis=(1, 2)) - own,
        "hand": shared.hands(shared.each),
        "wins": notes[:, 0],
        "probability": notes[:, 1],
        "seconds": notes[:, 2],
    }


def _turn_columns(shared: _Shared) -> dict[str, Any]:
    """Return the columns of T turns; a turn begins with the first row that has its number."""
    rows = shared.rows
    played = np.flatnonzero(rows["turn"] != _SETUP)
    keys = np.stack([rows["game"][played], rows["turn"][played]]).astype(np.int64)
    is_first = np.ones(len(played), np.bool_)
    is_first[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    starts = played[is_first]
    of_turn = np.cumsum(is_first) - 1  # the turn of each row in `played`
    mine = rows[played]
    games, seats, count = rows["game"][starts], rows["active"][starts], len(starts)

    def number(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(of_turn[mask], minlength=count)

    def value_at(mask: NDArray[np.bool_], values: NDArray[Any], otherwise: int) -> NDArray[Any]:
        """Return the value in the first row of each turn that is in the mask."""
        result = np.full(count, otherwise, np.int64)
        result[of_turn[mask][::-1]] = values[mask][::-1]
        return result

    total = np.zeros((count, *shared.gained.shape[1:]), np.int64)
    np.add.at(total, of_turn, shared.gained[played])
    own = total[np.arange(count), seats]
    op, action, in_phase = mine["op"], mine["action"], mine["in_phase"]
    adds, uses = op == Op.ADD_IMPULSE, action == USE
    techs = (op == Op.USE_TECH) & (action != PASS)
    plans = op == Op.USE_PLAN
    how = np.where(action == PASS, 1, np.where(mine["legal"] == 1, 3, 2))
    last_passes = np.zeros(len(rows), np.bool_)
    last_passes[shared.log.battle_rows] = True
    is_own = (mine["recorded"] != NOT_RECORDED) & (mine["seat"] == mine["active"])
    return {
        "game": shared.first + games.astype(np.int64),
        "turn": rows["turn"][starts],
        "round": shared.rounds(rows["turn"][starts], games),
        "seat": seats,
        "agent": shared.agents(seats, games),
        "score": rows["score"][starts, seats],
        "lead": shared.leads(starts, seats),
        "gained": own.sum(axis=1),
        **{name: own[:, source] for source, name in enumerate(POINTS)},
        "gained_by_others": total.sum(axis=(1, 2)) - own.sum(axis=1),
        "hand": shared.hands(starts),
        "added": _NUMBERS[value_at(adds, mine["card"], -1)],
        "impulse": value_at(op == Op.USE_TECH, mine["impulse"], 0),
        "impulse_used": number((op == Op.USE_IMPULSE) & uses),
        "tech": value_at(techs, action - TECH_0, -1),
        "tech_card": _NUMBERS[value_at(techs, mine["card"], -1)],
        "planned": value_at(plans, mine["planned"], 0),
        "plan": np.array(PLANS, object)[value_at(plans & in_phase, how, 0)],
        "plan_used": number((op == Op.USE_PLAN_CARD) & uses),
        "battles": number(last_passes[played]),
        "decisions": number(is_own),
    }


def _seat_columns(shared: _Shared) -> dict[str, Any]:
    rows, ends, plays = shared.rows, shared.log.ends, shared.log.plays
    games = np.repeat(np.arange(len(plays)), shared.players)
    seats = np.concatenate([np.arange(count) for count in shared.players], dtype=np.int64)
    shape = (len(plays), MAX_PLAYERS)

    def number(mask: NDArray[np.bool_], whose: str = "seat") -> NDArray[np.int64]:
        """Return the number of rows of the mask for each seat."""
        counts = np.zeros(shape, np.int64)
        np.add.at(counts, (rows["game"][mask], rows[whose][mask]), 1)
        result: NDArray[np.int64] = counts[games, seats]
        return result

    begins = np.zeros(len(rows), np.bool_)
    begins[1:] = (rows["turn"][1:] > rows["turn"][:-1]) & (rows["game"][1:] == rows["game"][:-1])
    first = np.searchsorted(rows["game"], np.arange(len(plays)))
    begins[first] = rows["turn"][first] != _SETUP
    race = ends["race"][games, seats]
    cells = HOMES[shared.players[games], seats]
    homes = np.where(ends["cell_face_up"][games, cells], ends["cell_card"][games, cells], -1)
    techs = _NUMBERS[np.maximum(ends["techs"][games, seats], -1)]
    points = ends["points"][games, seats]
    of_seats = list(zip(games.tolist(), seats.tolist(), strict=True))
    return {
        "game": shared.first + games,
        "seat": seats,
        "agent": shared.agents(seats, games),
        "side": seats % shared.sides[games],
        "order": (seats - ends["start_seat"][games]) % shared.players[games],
        "race": np.array([*RACE_NAMES, NO_RACE_YET], object)[race],
        "home_card": _NUMBERS[np.maximum(homes, -1)],
        "won": [seat in plays[game].winners for game, seat in of_seats],
        "score": ends["score"][games, seats],
        **{name: points[:, source] for source, name in enumerate(POINTS)},
        "tech_0": techs[:, 0],
        "tech_1": techs[:, 1],
        "researched": number(rows["op"] == Op.RESEARCH_SLOT),
        "plan": ends["plan_count"][games, seats],
        "gems": ends["gems"][games, seats].sum(axis=1),
        "ships": ends["ships_on_map"][games, seats],
        "eliminated": ends["eliminated"][games, seats] != 0,
        "turns": number(begins, "active"),
        "decisions": number(rows["recorded"] != NOT_RECORDED),
        "seconds": [plays[game].seconds[seat] for game, seat in of_seats],
    }


def _game_columns(shared: _Shared) -> dict[str, Any]:
    plays, ends = shared.log.plays, shared.log.ends
    turns = turns_played(ends)
    return {
        "game": shared.first + np.arange(len(plays)),
        "source": [play.where for play in plays],
        "seed": _seeds(plays),
        "players": shared.players,
        "sides": shared.sides,
        "agents": [tuple(agent.name for agent in play.header.agents) for play in plays],
        "start_seat": ends["start_seat"],
        "end": [play.end for play in plays],
        "winners": [play.winners for play in plays],
        "turns": turns,
        "rounds": -(-turns // shared.players),
        "decisions": [len(play.actions) for play in plays],
        "margin": [
            _margin(play, int(sides)) for play, sides in zip(plays, shared.sides, strict=True)
        ],
    }


def _seeds(plays: Sequence[RecordedGame]) -> list[int | None]:
    """Return the seeds modulo 2**64, the range of the generator's seeds."""
    seeds = [play.header.seed for play in plays]
    return [None if seed is None else seed % 2**64 for seed in seeds]


def _margin(play: RecordedGame, sides: int) -> float:
    """Return the winning side's best score minus the best other score; NaN without a winner."""
    best = [max(play.scores[side::sides]) for side in range(sides)]
    winning = {seat % sides for seat in play.winners}
    if len(winning) != 1:  # no winner, or every side except that of a failed agent
        return float("nan")
    (side,) = winning
    return float(best[side] - max(score for other, score in enumerate(best) if other != side))

"""The complexity of the game in figures.

An agent plays games with itself. Each decision adds the number of legal actions and the hidden
information of the deciding seat. The figures depend on the agent; they describe its games and not
the rules.

Hidden information is the entropy of the hidden cards. Every placement of the unseen cards is
equally likely, as `Game.determinize` draws them. Copies of a face and orders of a hand are
indistinguishable, so some distinguishable placements are more likely than others. The entropy is
that of the distinguishable placements.
"""

from collections.abc import Sequence
from functools import cache
from math import comb, lgamma, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env import observation
from impulse_env.batch import turns_played
from impulse_env.engine.constants import Op
from impulse_env.engine.state import STATE
from impulse_env.options import Options
from impulse_training.report.table import Table

_SETUP: Final = (Op.DRAFT_RACE, Op.PLACE_HOME)
_DECISION: Final = np.dtype(
    [
        ("game", np.int32),
        ("turn", np.int32),  # player turns completed, -1 in setup
        ("is_own_turn", np.bool_),
        ("legal", np.int16),
        ("bits", np.float64),  # see `hidden_bits`
        ("bits_with_deck", np.float64),
        ("deck", np.int16),  # cards in it
    ]
)


class Watcher(GameRunner):
    """Plays games and records the figures of each decision.

    Attributes:
        rows_of_decisions: A row for each decision, dtype `_DECISION`, in chronological order.
    """

    rows_of_decisions: list[NDArray[np.void]]

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Record the decisions before they are applied."""
        batch = self.batch
        rows = np.zeros(len(tables), _DECISION)
        states, seats = batch.states[tables], batch.seats[tables]
        rows["game"] = tables
        rows["turn"] = np.where(np.isin(states["phase"], _SETUP), -1, states["turn"])
        rows["is_own_turn"] = states["active"] == seats
        rows["legal"] = batch.masks[tables].sum(axis=1)
        rows["deck"] = states["deck_count"]
        for row, state in enumerate(states):
            bits = hidden_bits(state, int(seats[row]), batch.observations[tables[row]])
            rows["bits"][row], rows["bits_with_deck"][row] = bits
        self.rows_of_decisions.append(rows)


def watch(agent: str, players: int, games: int, seed: int) -> tuple[np.ndarray, NDArray[np.void]]:
    """Let an agent play games with itself.

    Returns:
        The games at their end, shape ``(games,)``, dtype `STATE`; and their decisions, game by game
        in order, dtype `_DECISION`.
    """
    rng = np.random.default_rng([seed, players])
    tables = Watcher(
        [registry.make(agent)],
        Options(players=players),
        rng.integers(2**63, size=games),
        np.zeros((games, players), np.int64),
        RngStreams.from_generator(rng, games * players),
    )
    tables.rows_of_decisions = []
    tables.play_to_end()
    rows = np.concatenate(tables.rows_of_decisions)
    return tables.batch.states, rows[np.argsort(rows["game"], kind="stable")]


def figures(states: np.ndarray, rows: NDArray[np.void]) -> dict[str, str]:
    """Return the figures of games with one number of players, by row of the table."""
    players, games = int(states["players"][0]), len(states)
    legal, turns = rows["legal"], turns_played(states)
    in_turn = rows[rows["turn"] >= 0]
    key = in_turn["game"].astype(np.int64) * (1 << 16) + in_turn["turn"]
    _, place, count = np.unique(key, return_inverse=True, return_counts=True)
    of_turn = np.bincount(place, np.log10(in_turn["legal"]))
    of_game = np.bincount(rows["game"], np.log10(legal), minlength=games)
    drawn, shuffles = _draws(rows, games)
    return {
        "Decisions of a game": _spread(np.bincount(rows["game"], minlength=games)),
        "Player turns of a game": _spread(turns),
        "Decisions of a seat in a game": f"{len(rows) / games / players:.0f}",
        "Decisions of a turn": _spread(count),
        "Decisions in another seat's turn, %": f"{100 * (1 - rows['is_own_turn'].mean()):.1f}",
        "Legal actions: mean": f"{legal.mean():.1f}",
        "Legal actions: median": f"{np.median(legal):.0f}",
        "Legal actions: 95 %": f"{np.quantile(legal, 0.95):.0f}",
        "Legal actions: most": f"{legal.max()}",
        "Product over a turn, log10": _spread(of_turn, 1),
        "Product over a game, log10": _spread(of_game),
        "Hidden, bits": _spread(rows["bits"]),
        "Hidden, as a number of games, log10": f"{np.median(rows['bits']) * np.log10(2):.0f}",
        "Hidden with the order of the deck, bits": _spread(rows["bits_with_deck"]),
        "Cards drawn in a game, at least": _spread(drawn),
        "New decks in a game": f"{shuffles.mean():.1f}",
        "Games won by nobody, %": f"{100 * (states['winner'] < 0).mean():.1f}",
        "Bytes of an observation": f"{observation.size(players)}",
        "Bytes of a game": f"{STATE.itemsize}",
    }


def _draws(rows: NDArray[np.void], games: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return for each game how many cards left its deck, at least, and how many decks were new.

    A deck that is larger than before is a new one: all of the old one was drawn, and from the new
    one an unknown number of cards, which are not counted.
    """
    before, after = rows["deck"][:-1].astype(np.int64), rows["deck"][1:].astype(np.int64)
    is_same_game = rows["game"][:-1] == rows["game"][1:]
    is_new = is_same_game & (after > before)
    left = np.where(is_new, before, before - after) * is_same_game
    game = rows["game"][:-1]
    return (
        np.bincount(game, left, minlength=games),
        np.bincount(game[is_new], minlength=games),
    )


def _spread(values: NDArray[Any], digits: int = 0) -> str:
    """Return the median, with the values that 90 % lie between."""
    low, middle, high = np.quantile(values, (0.05, 0.5, 0.95))
    return f"{middle:,.{digits}f} [{low:,.{digits}f}, {high:,.{digits}f}]"


def measure(agent: str, players: Sequence[int], games: int, seed: int) -> Table:
    """Let an agent play games with itself, and return the figures as a table.

    Args:
        agent: The agent on every seat.
        players: Players of a game, 2 to 6; each is a column of the table.
        games: Games for each number of players, 1 or more.
        seed: Random seed for the deals and the agent.
    """
    found = [figures(*watch(agent, count, games, seed)) for count in players]
    return Table(
        f"{games} games of {agent} with itself, seed {seed}",
        ("Players", *map(str, players)),
        tuple((name, *(each[name] for each in found)) for name in found[0]),
        "Brackets: the range of 90 % of the values, after the median. Other rows: mostly means.",
    )


@cache
def expected_log_factorial(cards: int, copies: int, drawn: int) -> float:
    """Return the mean of ``log2(k!)``, where k of the copies are among the cards drawn.

    Args:
        cards: All cards.
        copies: Those of one face.
        drawn: Cards that are drawn without being put back.
    """
    ways = comb(cards, drawn)
    return sum(
        comb(copies, k) * comb(cards - copies, drawn - k) / ways * log2_factorial(k)
        for k in range(2, min(copies, drawn) + 1)
    )


def log2_factorial(number: int) -> float:
    """Return ``log2(number!)``."""
    return lgamma(number + 1) / log(2)


def entropy(copies: Sequence[int], groups: Sequence[int]) -> float:
    """Return the entropy of the placement of faces, in bits.

    Args:
        copies: Unseen cards of each face.
        groups: Sizes of the unordered sets that hold them; the other cards have places of their
            own. A deck is a set if its order is to be left out.
    """
    cards = sum(copies)
    bits = log2_factorial(cards) - sum(log2_factorial(count) for count in copies)
    for size in groups:
        # Each order of a set looks the same, as often as its copies let them differ.
        same = sum(expected_log_factorial(cards, count, size) for count in copies if count > 1)
        bits -= log2_factorial(size) - same
    return bits


def hidden_bits(state: np.void, seat: int, observed: NDArray[np.uint8]) -> tuple[float, float]:
    """Return the bits of what others hold and what is face-down, and with the order of the deck.

    Which of its cards somebody has laid as reinforcements is left out.

    Args:
        state: A running game, dtype `STATE`.
        seat: Who looks.
        observed: What that seat sees, shape ``(size(players),)``.
    """
    players = int(state["players"])
    unseen = observation.section(observed, "unseen", players)
    held = [_unknown(state, other) for other in range(players) if other != seat]
    deck = int(state["deck_count"])
    copies = [int(count) for count in unseen if count]
    return entropy(copies, [*held, deck]), entropy(copies, held)


def _unknown(state: np.void, seat: int) -> int:
    """Return how many cards a seat has in hand or laid that the others do not know."""
    laid = state["laid_count"][state["battle_seat"] == seat].sum()
    return int(state["hand_count"][seat] + laid - state["known_count"][seat])

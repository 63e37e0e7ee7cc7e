"""What trained networks think of a whole game, as a table, and pictures of it."""

from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from impulse_agents.base import ObservationBatch
from impulse_agents.explanation import Advice
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.selection import softmax
from impulse_env.actions import name_of
from impulse_env.frame import absolute_frame
from impulse_env.game import Game
from impulse_env.records.record import Record

COLORS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Of what stands side by side; Okabe and Ito's, which the colour-blind can tell apart."""
_LABEL: Final = 64
"""Letters of an action beside its bar."""


def policy_table(record: Record, policies: Mapping[str, PolicyAgent]) -> pd.DataFrame:
    """Return what some networks think of every decision of a game, from what its seat knew.

    Args:
        record: The game.
        policies: The networks by a word for each; they were trained for as many players.

    Returns:
        A row for each decision and network: ``number`` of the decision, ``turn``, ``seat``,
        ``score`` and ``lead`` (own points, and ahead of the best other seat), ``legal`` (how many
        actions), ``chosen`` (by who played), ``agent`` (the word), ``choice`` (the likeliest action
        by its absolute name), ``probability`` (of that), ``on_legal`` (share of the probability
        that is on legal actions before the others are masked), ``entropy`` (nats, of the legal
        ones) and ``value`` (what the seat expects to be paid from here on).

    Raises:
        AgentError: A network was trained for another number of players.
    """
    seen, rows = [], []
    for number, (move, game) in enumerate(zip(record.moves, record.games(), strict=False)):
        seen.append(ObservationBatch.from_game(game))
        others = max(points for seat, points in enumerate(game.scores) if seat != move.seat)
        score = game.scores[move.seat]
        about = {"number": number, "turn": game.turn, "seat": move.seat, "score": score}
        rows.append({**about, "lead": score - others, "chosen": move.action})
    observations = np.concatenate([one.observations for one in seen])
    masks = np.concatenate([one.masks for one in seen]) != 0
    frames = absolute_frame(record.header.options.players)[[move.seat for move in record.moves]]
    known = pd.DataFrame(rows).assign(legal=masks.sum(axis=1))
    found = []
    for name, policy in policies.items():
        policy.check(observations)
        logits, values = policy.evaluate(observations)
        logits = logits.astype(np.float64)
        shares = softmax(logits, masks)
        best = shares.argmax(axis=1)
        told = {
            "choice": [name_of(int(frame[i])) for frame, i in zip(frames, best, strict=True)],
            "probability": shares.max(axis=1),
            "on_legal": (softmax(logits, np.ones_like(masks)) * masks).sum(axis=1),
            "entropy": -(shares * np.log(np.maximum(shares, 1e-12))).sum(axis=1),
            "value": values,
        }
        found.append(known.assign(agent=name, **told))
    return pd.concat(found, ignore_index=True)


def disagreements(table: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions at which two networks would act differently, the clearest first.

    Args:
        table: What `policy_table` returned for two networks.

    Returns:
        A row for each, by ``number``: the choice and the probability of either network, in columns
        ``(column, agent)``. Clear is where the less certain of the two is most certain.
    """
    values = ["turn", "legal", "choice", "probability", "value"]
    wide = table.pivot(index="number", columns="agent", values=values)
    differ = wide[wide.choice.nunique(axis=1) > 1]
    certain = differ.probability.astype(float).min(axis=1)
    return differ.loc[certain.sort_values(ascending=False, kind="stable").index]


def game_at(record: Record, number: int) -> Game:
    """Return the game as it was at a decision, counted from 0."""
    for at, game in enumerate(record.games()):
        if at == number:
            return game.copy()
    raise ValueError(f"the record has {len(record.moves)} decisions, none with number {number}")


def draw_advice(axes: Axes, game: Game, advice: Advice, color: str = COLORS[0]) -> None:
    """Draw a network's likeliest actions at a decision, in words, as bars of their probability.

    Args:
        axes: Where.
        game: At that decision.
        advice: From `impulse_agents.advice.advice.advise`, by an agent that gives shares.
        color: Of the bars.
    """
    named = [s for s in advice.suggestions if s.share is not None]
    words = [shorten(game.describe(s.action), _LABEL, placeholder=" …") for s in named]
    shares = [100 * (s.share or 0) for s in named]
    places = range(len(named))
    axes.barh(places, shares, color=color)
    axes.set_yticks(places, words)
    axes.invert_yaxis()
    for place, share in enumerate(shares):
        axes.annotate(
            f"{share:.0f}", (share, place), (3, 0), textcoords="offset points", va="center"
        )
    wins = "" if advice.wins is None else f", wins {100 * advice.wins:.0f} %"
    axes.set(xlim=(0, 108), xlabel="probability, %", title=f"{advice.by}{wins}")
    axes.spines[["top", "right"]].set_visible(False)


def draw_values(axes: Sequence[Axes], table: pd.DataFrame, record: Record) -> None:
    """Draw what each seat expected, above, and its points, below, turn by turn.

    Args:
        axes: Two, the one for the values first; they share the turns.
        table: What `policy_table` returned for one network; of some or all decisions.
        record: The game.
    """
    first = table.groupby(["seat", "turn"])[["value", "score"]].first().reset_index()
    for seat, rows in first.groupby("seat"):
        color, marker = COLORS[int(seat)], "osD^vP"[int(seat)]
        name = f"seat {seat}: {record.header.agents[int(seat)].name}"
        turns, points = [*rows.turn], [*rows.score]
        if record.result is not None:
            turns, points = (
                [*turns, record.result.turns],
                [*points, record.result.scores[int(seat)]],
            )
        axes[0].plot(rows.turn, rows.value, marker, color=color, markersize=4, linestyle="-")
        axes[1].step(turns, points, where="post", color=color, label=name)
        axes[1].plot(turns[-1], points[-1], marker, color=color, markersize=4)
    axes[0].axhline(0, color="0.6", linewidth=1)
    axes[0].set(ylabel="value")
    axes[1].set(xlabel="turn", ylabel="points")
    axes[1].legend(frameon=False)
    for one in axes:
        one.grid(alpha=0.3)

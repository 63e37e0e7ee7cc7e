"""Measures the explanations of mistakes: how many there are, and how many hold in fresh worlds.

Agents of several strengths play games. A trained agent analyses each game. The cause of every
explained mistake is tested once more in other worlds, where it must again restore half the loss.
Finished games are kept in the folder, so the same command continues.
"""

import argparse
import json
from collections import Counter
from itertools import count, permutations
from pathlib import Path

import numpy as np

import impulse_agents
from impulse_agents.advice.explanations import HALF, Costly, Trial
from impulse_agents.advice.game_analysis import analysed, judge_of, with_causes
from impulse_env.files import write_atomically
from impulse_env.frame import own_frame
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, Move, Record, SeatedAgent
from impulse_env.replay.analysis import mark_of
from impulse_training.statistics.intervals import wilson

AGENTS = ("greedy", "warrior", "core_rush", "miner", "trader")
JUDGE = "policy:2p"
FRESH = (2, 0)
"""Seed of the worlds of the second test; the analysis has (0, 0) and (0, 1)."""
WORLDS = 96
WHOLE = {"core": "fleets", "battle": "move"}
"""Causes whose name is more precise than what is undone."""


def played(names, seed):
    """Return the record of a game of two agents."""
    game = Game(players=2, seed=seed)
    agents = [impulse_agents.make(name) for name in names]
    record = Record(Header(Options(2), tuple(SeatedAgent(name) for name in names), seed=seed))
    rng = np.random.default_rng(seed)
    while not game.is_over:
        action = game.name(agents[game.seat].act_in_game(game, rng))
        record.moves.append(Move(game.seat, action))
        game.step(action)
    return record


def mistakes_of(record, judge):
    """Return a row for each mistake: mark, losses, cause, and whether it held in fresh worlds."""
    analysis = with_causes(analysed(record, judge), record, judge)
    rows, costly = [], []
    for number, (game, one) in enumerate(zip(record.games(), analysis.judged, strict=False)):
        if one is None or one.later is None:
            continue
        row = {"step": number, "mark": mark_of(one), "loss": one.loss, "later": one.later}
        rows.append(row | {"cause": None if one.why is None else one.why.cause})
        if one.why is not None and mark_of(one):
            own = own_frame(2)[game.seat]
            taken, better = (
                int(own[game.action(name)]) for name in (record.moves[number].action, one.best)
            )
            state = game.state.reshape(1).copy()
            costly.append((rows[-1], one.why, Costly(number, state, game.seat, taken, better)))
    for row, why, decision in costly:
        trial = Trial(judge, Options(2), [decision], FRESH, WORLDS)
        restored = trial.restored([(why.moment, WHOLE.get(why.cause, why.cause))]).mean()
        loss = float(trial.loss.mean())
        row |= {"holds": bool(loss > 0 and restored >= HALF * loss), "fresh": loss}
    return rows


def share(part, of):
    low, high = wilson(part, of)
    return f"{part} of {of}, {part / of:.1%} ({low:.1%} to {high:.1%})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mistakes", type=int, default=500, help="mistakes to collect")
    parser.add_argument("--out", type=Path, default=Path("runs/explained"), help="folder")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    judge, tested, mistakes = judge_of(JUDGE, 2), 0, []
    pairs = list(permutations(AGENTS, 2))
    for seed in count(1):
        file = args.out / f"{seed}.json"
        if not file.is_file():
            rows = mistakes_of(played(pairs[seed % len(pairs)], seed), judge)
            write_atomically(file, json.dumps(rows))
        rows = json.loads(file.read_text(encoding="utf-8"))
        tested += len(rows)
        mistakes += [row for row in rows if row["mark"]]
        print(f"game {seed}: {len(mistakes)} of {args.mistakes} mistakes", flush=True)
        if len(mistakes) >= args.mistakes:
            break
    left = share(len(mistakes), tested)
    mistakes = mistakes[: args.mistakes]
    explained = [row for row in mistakes if row["cause"] is not None]
    print(f"costly decisions left a round later: {left}")
    print(f"mistakes with an explanation: {share(len(explained), len(mistakes))}")
    holding = sum(row["holds"] for row in explained)
    print(f"explanations that hold in fresh worlds: {share(holding, len(explained))}")
    named = Counter(row["cause"] for row in explained)
    print("causes:", ", ".join(f"{cause} {number}" for cause, number in named.most_common()))


if __name__ == "__main__":
    main()

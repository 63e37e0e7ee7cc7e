"""Recorded games, and what their openings are if one game after another is played by hand."""

from collections import Counter, defaultdict

from impulse_env.records.recorded_games import RecordedGame
from impulse_training.report.explore.choices import choice_of
from impulse_training.report.explore.line_filter import LineFilter
from impulse_training.report.explore.lines import Openings
from recorded import TABLES, played

SETUP = ("draft_race", "place_home")


def save(folder, games):
    """Write records, of tables by their number and seeds, into a folder; return them."""
    records = [played(TABLES[table], seed)[0] for table, seed in games]
    for (table, seed), record in zip(games, records, strict=True):
        record.save(folder / f"{table}-{seed}.jsonl")
    return records


def explored(records, depth=8, least=1, wanted=None, **more):
    """The openings of some records."""
    found = Openings(wanted or LineFilter(), depth, **more)
    plays = [RecordedGame.of_record(one, f"game {row}") for row, one in enumerate(records)]
    for _ in found.read(plays):
        pass
    found.finish(least)
    return found


def by_hand(records, depth=8, wants=lambda record, seat: True):
    """How many lines begin with some choices, and how many of them won, by tuple of choices."""
    counts, won = Counter(), defaultdict(float)
    for record in records:
        paths = {seat: [] for seat in range(record.header.options.players) if wants(record, seat)}
        for game, move in zip(record.games(), record.moves, strict=False):
            is_own = game.seat == int(game.state["active"]) or game.decision.kind in SETUP
            path = paths.get(game.seat)
            if path is None or not is_own or len(path) == depth or len(game.legal_actions()) < 2:
                continue
            path.append(choice_of(game.state, game.action(move.action), game.seat))
        for seat, path in paths.items():
            for length in range(len(path) + 1):
                counts[tuple(path[:length])] += 1
                won[tuple(path[:length])] += seat in record.result.winners
    return counts, won


def paths_in(tree):
    """The choices that lead to each node."""
    found = [()]
    for node in range(1, len(tree)):
        found.append((*found[tree.parents[node]], tree.choices[node]))
    return found

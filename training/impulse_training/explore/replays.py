"""Replay pages of the games at the nodes, in a folder beside the explorer."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from impulse_env.information import EVERYTHING
from impulse_env.records.record import record_of
from impulse_env.records.recorded_games import RecordedGame
from impulse_env.replay import page
from impulse_training.explore.lines import Openings
from impulse_training.explore.tree import ROOT

_DIGITS: Final = 16


def folder_of(html: Path) -> Path:
    """Return where the pages of an explorer's games are."""
    return html.with_name(f"{html.stem}_games")


def games_to_tell(found: Openings, most: int) -> list[int]:
    """Return the rows of the games of which each node has so many, in order."""
    counts = [0] * len(found.tree)
    chosen = []
    for line in found.lines:
        nodes = [ROOT, *line.nodes]
        if any(counts[node] < most for node in nodes):
            chosen.append(line.game)
            for node in nodes:
                counts[node] += 1
    return sorted(set(chosen))


def name_of(play: RecordedGame) -> str:
    """Return what the page of a game is called: the same for the same game."""
    told = play.header.line().encode() + play.actions.tobytes()
    return hashlib.sha256(told).hexdigest()[:_DIGITS] + ".html"


def write_replays(found: Openings, games: Iterable[int], folder: Path) -> Iterator[Path]:
    """Write the pages of games by their rows; yield each file."""
    for game in games:
        play = found.games[game]
        why = "" if play.end != "stopped" else "left before it was over"
        record = record_of(play.header, map(int, play.actions), why=why)
        path = folder / name_of(play)
        page.write(record, path, [EVERYTHING])
        yield path

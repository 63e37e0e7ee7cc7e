"""The explorer as one self-contained HTML file, with replay pages in a folder next to it.

The explorer has a row for each line, so that the browser can count any selection.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from pathlib import Path
from typing import Any, Final

from impulse_env.engine.cards import CARD_BY_NUMBER
from impulse_env.information import EVERYTHING
from impulse_env.pages.single_file import single_file
from impulse_env.records.record import record_of
from impulse_env.records.recorded_games import RecordedGame
from impulse_env.replay import page as replay_page
from impulse_env.replay.bundle import Texts
from impulse_env.text.describe import card_label
from impulse_training.report.explore.drawings import drawn, examples
from impulse_training.report.explore.explore_options import ExploreArgs
from impulse_training.report.explore.lines import Openings
from impulse_training.report.explore.tree import ROOT

_SCRIPTS: Final = ("openings.js", "moves.js", "games.js", "explorer.js")
_DIGITS: Final = 16


def page(found: Openings, args: ExploreArgs, links: Mapping[int, str] | None = None) -> str:
    """Return the page.

    Args:
        found: The openings.
        args: The options.
        links: The replay page of a game by its row, relative to the page.
    """
    data = bundle(found, args, links or {})
    return single_file("impulse_training.report.explore", "explorer", _SCRIPTS, data)


def bundle(found: Openings, args: ExploreArgs, links: Mapping[int, str]) -> dict[str, Any]:
    """Return the data of the page, JSON-able.

    The names of games keep only the last folder of their path. ``nodes`` has lists by node:
    ``parent``, ``turn``, ``step``, ``begins`` and ``text``, which are indices into ``texts``.
    ``games`` has lists by game and ``lines`` has lists by line. ``node`` is the last node of the
    line; ``won`` and ``par`` are parts of a game. ``before`` and ``after`` are chances in
    thousandths, by choice, or null if unknown. A line of a game with a page has ``steps``: the step
    of the page after each choice.
    """
    texts = Texts()
    chosen = examples(found, args.drawings)
    return {
        "nodes": _nodes(found, texts),
        "games": _games(found, texts, links),
        "lines": _lines(found, texts, links),
        "cards": {
            str(number): card_label(CARD_BY_NUMBER[number])
            for number in sorted({line.home for line in found.lines if line.home})
        },
        "boards": drawn(found, chosen, args.eyes),
        "eyes": args.eyes,
        "least": args.least,
        "depth": args.depth,
        "leftOut": found.left_out,
        "judge": (args.judge or "the agents, as recorded") if found.has_chances else "",
        "texts": texts.all(),
    }


def _nodes(found: Openings, texts: Texts) -> dict[str, list[int]]:
    choices = found.tree.choices
    return {
        "parent": found.tree.parents,
        "turn": [0 if choice is None else choice.turn for choice in choices],
        "step": [texts.number("" if choice is None else choice.step) for choice in choices],
        "begins": [0 if choice is None else int(choice.begins) for choice in choices],
        "text": [texts.number("" if choice is None else choice.text) for choice in choices],
    }


def _games(found: Openings, texts: Texts, links: Mapping[int, str]) -> dict[str, list[Any]]:
    headers = [play.header for play in found.games]
    return {
        "name": ["/".join(Path(play.where).parts[-2:]) for play in found.games],
        "agents": [[texts.number(agent.name) for agent in one.agents] for one in headers],
        "scores": [play.scores for play in found.games],
        "winners": [play.winners for play in found.games],
        "end": [texts.number(play.end) for play in found.games],
        "page": [links.get(row, "") for row in range(len(found.games))],
    }


def _lines(found: Openings, texts: Texts, links: Mapping[int, str]) -> dict[str, list[Any]]:
    lines = found.lines
    data: dict[str, list[Any]] = {
        "game": [line.game for line in lines],
        "seat": [line.seat for line in lines],
        "node": [line.nodes[-1] if line.nodes else 0 for line in lines],
        "race": [texts.number(line.race) for line in lines],
        "home": [line.home for line in lines],
        "won": [round(line.won, 4) for line in lines],
        "par": [round(line.par, 4) for line in lines],
        "steps": [line.steps if line.game in links else [] for line in lines],
    }
    if found.has_chances:
        data["before"] = [_thousandths(line.before) for line in lines]
        data["after"] = [_thousandths(line.after) for line in lines]
    return data


def _thousandths(chances: list[float]) -> list[int | None]:
    return [None if isnan(chance) else round(1000 * chance) for chance in chances]


def folder_of(html: Path) -> Path:
    """Return the folder of an explorer's replay pages."""
    return html.with_name(f"{html.stem}_games")


def games_to_tell(found: Openings, most: int) -> list[int]:
    """Return the rows of the games to replay, at most `most` for each node, in order."""
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
    """Return the file name of a game's page: the same for the same game."""
    data = play.header.line().encode() + play.actions.tobytes()
    return hashlib.sha256(data).hexdigest()[:_DIGITS] + ".html"


def write_replays(found: Openings, games: Iterable[int], folder: Path) -> Iterator[Path]:
    """Write the replay pages of the games in these rows; yield each file."""
    for game in games:
        play = found.games[game]
        why = "" if play.end != "stopped" else "left before it was over"
        record = record_of(play.header, map(int, play.actions), why=why)
        path = folder / name_of(play)
        replay_page.write(record, path, [EVERYTHING])
        yield path

"""Games as Parquet files to share, a folder of parts; needs `pyarrow` (extra `data`).

Each part has two files, ``games-00000.parquet`` with a row for each game and
``decisions-00000.parquet`` with a row for each decision. What every column means is told in the
files themselves, as the field's metadata ``description``, and by `column_table`. A game's row holds
all that it takes to play it again, so `recorded_games` gives the games back; all else in a part
follows from it but what agents said.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import NAMES
from impulse_env.batch import turns_played
from impulse_env.dataset.decisions import Part, parts_of
from impulse_env.engine.constants import MAX_PLAYERS
from impulse_env.errors import GameBytesError, ImpulseError
from impulse_env.files import replacing
from impulse_env.frame import absolute_frame
from impulse_env.game import Game
from impulse_env.observation import size
from impulse_env.options import OptionError, Options
from impulse_env.records.record import Header, SeatedAgent
from impulse_env.records.recorded_games import RecordedGame

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError as missing:
    raise ImportError(
        'Parquet files need pyarrow: pip install "impulse-env[data]"', name=missing.name
    ) from missing

_SEEDS: Final = 1 << 64
_COMPRESSION: Final = "zstd"
_NAMES: Final = pa.array(NAMES)


class DatasetError(ImpulseError, ValueError):
    """A folder holds no such data, or a file is damaged; the message names it."""


def _field(name: str, kind: Any, meaning: str, nullable: bool = False) -> Any:
    return pa.field(name, kind, nullable, {"description": meaning})


GAMES: Final = pa.schema(
    [
        _field("game", pa.int64(), "number of the game in these data, from 0"),
        _field("players", pa.int8(), "2 to 6"),
        _field("team_size", pa.int8(), "players of a team; null: each for themselves", True),
        _field("options", pa.string(), "all options of the game, impulse_env.Options, as JSON"),
        _field("deal", pa.uint64(), "seed of the deal; null: it began in a position", True),
        _field("start", pa.binary(), "Game.to_bytes of that position; null: it was dealt", True),
        _field("agents", pa.list_(pa.string()), "who plays, by seat"),
        _field("end", pa.string(), "score, elimination or truncation"),
        _field("winners", pa.list_(pa.int8()), "the winning seats; none: truncated"),
        _field("scores", pa.list_(pa.int16()), "points at the end, by seat"),
        _field("turns", pa.int32(), "player turns, the last one included"),
        _field("decisions", pa.int32(), "decisions, as many rows in the other files"),
        _field("actions", pa.list_(pa.uint8()), "all of them in order, in the absolute frame"),
    ]
)
"""The columns of a game."""
DECISIONS: Final = pa.schema(
    [
        _field("game", pa.int64(), "number of the game in these data"),
        _field("number", pa.int32(), "of the decision in the game, from 0"),
        _field("seat", pa.int8(), "who decides, 0 to 5 in turn order"),
        _field("agent", pa.string(), "who plays that seat"),
        _field("legal", pa.list_(pa.uint8()), "legal actions, ascending, in the seat's own frame"),
        _field("action", pa.uint8(), "what was chosen, in the seat's own frame"),
        _field("name", pa.dictionary(pa.int16(), pa.string()), "the same, absolute, by its name"),
        _field("probability", pa.float32(), "that the agent gave it, 0 to 1; null: unsaid", True),
        _field(
            "probabilities",
            pa.list_(pa.float32()),
            "that the agent gave each of `legal`, 1 in sum; null: unsaid",
            True,
        ),
        _field("wins", pa.float32(), "the agent's chance to win, by itself; null: unsaid", True),
        _field("result", pa.float32(), "what the game paid in the end: see impulse_env.dataset"),
    ]
)
"""The columns of a decision; with observations there is one more."""
OBSERVATION: Final = "observation"


@dataclass(frozen=True)
class ToldGame:
    """A game with what its agents said of their decisions.

    Attributes:
        play: The game; chances to win and probabilities of what was chosen are in its notes.
        shares: For each decision the probabilities of the legal actions, ascending in the own
            frame, or None; None if nothing is known of any.
    """

    play: RecordedGame
    shares: Sequence[NDArray[np.floating] | None] | None = None


def games_in_part(folder: Path, number: int) -> int:
    """Return how many games a part has that is there."""
    games: int = parquet.read_metadata(folder / f"games-{number:05d}.parquet").num_rows
    return games


def write_part(
    folder: Path, number: int, games: Sequence[ToldGame], first: int, with_observations: bool
) -> int:
    """Write the files of a part; return how many decisions it has.

    Args:
        folder: Where to; made if need be.
        number: Of the part, from 0.
        games: Games of the same number of players that were played to their ends.
        first: The number of the first game in the data.
        with_observations: Whether decisions have what the seat saw, as bytes.

    Raises:
        RecordError: A game does not go, or does not end, as recorded.
        OSError: A file cannot be written.
    """
    (part,) = parts_of([game.play for game in games], len(games), None)
    decisions = _decisions(part, games, first, with_observations)
    # The games last: a part without them is not there.
    for name, table in (("decisions", decisions), ("games", _games(part, first))):
        with replacing(folder / f"{name}-{number:05d}.parquet") as file:
            parquet.write_table(table, file, compression=_COMPRESSION)
    return len(decisions)


def _games(part: Part, first: int) -> Any:
    turns = turns_played(part.states)
    rows = [
        {
            "game": first + row,
            "players": play.header.options.players,
            "team_size": play.header.options.team_size,
            "options": json.dumps(asdict(play.header.options)),
            "deal": None if play.header.seed is None else play.header.seed % _SEEDS,
            "start": None if play.header.start is None else play.header.start.to_bytes(),
            "agents": [agent.name for agent in play.header.agents],
            "end": play.end,
            "winners": list(play.winners),
            "scores": list(play.scores),
            "turns": int(turns[row]),
            "decisions": len(play.actions),
            "actions": play.actions.tolist(),
        }
        for row, play in enumerate(part.plays)
    ]
    return pa.Table.from_pylist(rows, GAMES)


def _decisions(part: Part, games: Sequence[ToldGame], first: int, with_observations: bool) -> Any:
    found, plays = part.found, part.plays
    players = plays[0].header.options.players
    count, lengths = len(found.actions), np.array([len(play.actions) for play in plays])
    begins = np.cumsum(lengths) - lengths
    agents = np.array([[agent.name for agent in play.header.agents] for play in plays])
    notes = np.concatenate([play.notes for play in plays])
    rows, legal = np.nonzero(found.masks)
    offsets = np.searchsorted(rows, np.arange(count + 1)).astype(np.int32)
    names = absolute_frame(players)[found.seats, found.actions]
    columns = {
        "game": first + found.games,
        "number": np.arange(count) - begins[found.games],
        "seat": found.seats,
        "agent": agents[found.games, found.seats],
        "legal": pa.ListArray.from_arrays(offsets, pa.array(legal, pa.uint8())),
        "action": found.actions.astype(np.uint8),
        "name": pa.DictionaryArray.from_arrays(pa.array(names, pa.int16()), _NAMES),
        "probability": _or_null(notes[:, 1]),
        "probabilities": _probabilities(games, offsets),
        "wins": _or_null(notes[:, 0]),
        "result": found.wins,
    }
    schema = DECISIONS
    if with_observations:
        schema = DECISIONS.append(_observation(players))
        seen = pa.py_buffer(np.ascontiguousarray(found.observations))
        kind = pa.binary(size(players))
        columns[OBSERVATION] = pa.FixedSizeBinaryArray.from_buffers(kind, count, [None, seen])
    return pa.table(
        [
            column if isinstance(column, pa.Array) else pa.array(column, schema.field(name).type)
            for name, column in columns.items()
        ],
        schema=schema,
    )


def _observation(players: int) -> Any:
    meaning = "what the seat sees, bytes: see the environment's page"
    return _field(OBSERVATION, pa.binary(size(players)), meaning)


def _or_null(values: NDArray[np.float64]) -> Any:
    return pa.array(values, pa.float32(), mask=np.isnan(values))


def _probabilities(games: Sequence[ToldGame], offsets: NDArray[np.int32]) -> Any:
    """Return the lists of probabilities, as long as those of the legal actions; or nulls."""
    said: list[NDArray[np.floating] | None] = []
    for game in games:
        said += [None] * len(game.play.actions) if game.shares is None else game.shares
    lists = [None if shares is None else np.asarray(shares, np.float32) for shares in said]
    wanted = np.diff(offsets)
    assert all(one is None or len(one) == n for one, n in zip(lists, wanted, strict=True)), (
        "there is a probability for each legal action"
    )
    return pa.array(lists, pa.list_(pa.float32()))


# --- Reading --------------------------------------------------------------------------------------


def parts_in(folder: Path) -> list[int]:
    """Return the numbers of the parts that are whole, ascending."""
    return sorted(
        int(path.stem.removeprefix("games-"))
        for path in folder.glob("games-*.parquet")
        if path.stem.removeprefix("games-").isdigit()
    )


def read_table(folder: Path, name: str, number: int, columns: Sequence[str] | None = None) -> Any:
    """Return a table of a part, "games" or "decisions".

    Raises:
        DatasetError: The file is missing or damaged, or has other columns.
    """
    path = folder / f"{name}-{number:05d}.parquet"
    wanted = GAMES if name == "games" else DECISIONS
    try:
        found = parquet.read_table(path, columns=None if columns is None else list(columns))
    except (OSError, pa.ArrowException, KeyError) as error:
        said = " ".join(str(error).split())[:200]
        raise DatasetError(f"{path} cannot be read: {said}") from error
    for column in columns or wanted.names:
        if (
            column not in found.column_names
            or found.field(column).type != wanted.field(column).type
        ):
            raise DatasetError(f"{path} is no table of {name}: it has no fitting column {column}")
    return found


def recorded_games(folder: str | Path) -> Iterator[RecordedGame]:
    """Yield the games of a folder as `records` does, a part in memory at a time.

    Chances to win and probabilities are not among them; `read_table` has those.

    Raises:
        DatasetError: There is no part, or one is damaged; the message names the file.
    """
    folder = Path(folder)
    numbers = parts_in(folder)
    if not numbers:
        raise DatasetError(f"there are no games-*.parquet in {folder}")
    for number in numbers:
        yield from games_of_part(folder, number)


def games_of_part(folder: Path, number: int) -> Iterator[RecordedGame]:
    """Yield the games of one part, see `recorded_games`."""
    where = folder / f"games-{number:05d}.parquet"
    for row in read_table(folder, "games", number).to_pylist():
        try:
            yield _recorded(row, f"{where}, game {row['game']}")
        except (GameBytesError, OptionError, TypeError, ValueError, KeyError) as error:
            raise DatasetError(f"{where}, game {row.get('game')}: {error}") from error


def _recorded(row: dict[str, Any], where: str) -> RecordedGame:
    options = Options(**json.loads(row["options"]))
    agents = tuple(SeatedAgent(str(name)) for name in row["agents"])
    if len(agents) != options.players or options.players > MAX_PLAYERS:
        raise ValueError(f"{len(agents)} agents for {options.players} players")
    start = None if row["start"] is None else Game.from_bytes(row["start"])
    actions = np.array(row["actions"], np.int64)
    return RecordedGame(
        where,
        Header(options, agents, row["deal"], start),
        actions,
        str(row["end"]),
        tuple(row["winners"]),
        tuple(row["scores"]),
        np.full((len(actions), 3), np.nan),
        (float("nan"),) * options.players,
    )


def column_types(folder: Path, name: str, number: int) -> list[tuple[str, str, str]]:
    """Return the columns of a part as (name, Arrow type, meaning).

    The type is that of the values: ``list of uint8``, or ``string`` for a dictionary of them.

    Raises:
        DatasetError: The file is missing or damaged.
    """
    path = folder / f"{name}-{number:05d}.parquet"
    try:
        schema = parquet.read_schema(path)
    except (OSError, pa.ArrowException) as error:
        said = " ".join(str(error).split())[:200]
        raise DatasetError(f"{path} cannot be read: {said}") from error
    return [
        (field.name, _type_of(field.type), (field.metadata or {})[b"description"].decode())
        for field in schema
    ]


def _type_of(kind: Any) -> str:
    if pa.types.is_list(kind):
        return f"list of {_type_of(kind.value_type)}"
    return str(kind.value_type if pa.types.is_dictionary(kind) else kind)


def column_table(name: str) -> str:
    """Return the columns of "games" or "decisions" as Markdown."""
    schema = GAMES if name == "games" else DECISIONS
    lines = ["| Column | Type | Meaning |", "|---|---|---|"]
    for field in schema:
        lines.append(
            f"| `{field.name}` | {field.type} | {field.metadata[b'description'].decode()} |"
        )
    return "\n".join(lines)

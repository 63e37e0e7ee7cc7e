"""Games as Parquet files to share, a folder of parts; needs `pyarrow` (extra `data`).

Each part has two files, ``games-00000.parquet`` with a row for each game and
``decisions-00000.parquet`` with a row for each decision. The files themselves contain the meaning
of every column, as the field's metadata ``description``; `column_table` returns it, too. A game's
row is enough to replay it, so `recorded_games` restores the games; everything else in a part
follows from these rows, except the notes of agents.
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
    """A folder does not contain such data, or a file is damaged; the message names it."""


def _field(name: str, kind: Any, meaning: str, nullable: bool = False) -> Any:
    return pa.field(name, kind, nullable, {"description": meaning})


GAMES: Final = pa.schema(
    [
        _field("game", pa.int64(), "number of the game in these data, from 0"),
        _field("players", pa.int8(), "number of players, 2 to 6"),
        _field("team_size", pa.int8(), "players per team; null: no teams", True),
        _field("options", pa.string(), "all options of the game, impulse_env.Options, as JSON"),
        _field("deal", pa.uint64(), "seed of the deal; null: the game began in a position", True),
        _field("start", pa.binary(), "Game.to_bytes of that position; null: it was dealt", True),
        _field("agents", pa.list_(pa.string()), "the agents, by seat"),
        _field("end", pa.string(), "score, elimination or truncation"),
        _field("winners", pa.list_(pa.int8()), "the winning seats; empty: truncated"),
        _field("scores", pa.list_(pa.int16()), "points at the end, by seat"),
        _field("turns", pa.int32(), "player turns, including the last one"),
        _field("decisions", pa.int32(), "number of decisions, each a row in the other file"),
        _field("actions", pa.list_(pa.uint8()), "all actions in order, in the absolute frame"),
    ]
)
"""The columns of a game."""
DECISIONS: Final = pa.schema(
    [
        _field("game", pa.int64(), "number of the game in these data"),
        _field("number", pa.int32(), "number of the decision in the game, from 0"),
        _field("seat", pa.int8(), "seat that decides, 0 to 5 in turn order"),
        _field("agent", pa.string(), "agent on that seat"),
        _field("legal", pa.list_(pa.uint8()), "legal actions, ascending, in the seat's own frame"),
        _field("action", pa.uint8(), "the chosen action, in the seat's own frame"),
        _field("name", pa.dictionary(pa.int16(), pa.string()), "absolute name of that action"),
        _field(
            "probability",
            pa.float32(),
            "the agent's probability of that action, 0 to 1; null: not recorded",
            True,
        ),
        _field(
            "probabilities",
            pa.list_(pa.float32()),
            "the agent's probability of each of `legal`, with sum 1; null: not recorded",
            True,
        ),
        _field(
            "wins", pa.float32(), "the agent's own chance to win, 0 to 1; null: not recorded", True
        ),
        _field("result", pa.float32(), "reward of the seat at the game's end: `Decisions.wins`"),
    ]
)
"""The columns of a decision; a file with observations has one more."""
OBSERVATION: Final = "observation"


@dataclass(frozen=True)
class AnnotatedGame:
    """A game with its agents' notes on their decisions.

    Attributes:
        play: The game; its notes contain chances to win and probabilities of chosen actions.
        shares: For each decision the probabilities of the legal actions, ascending in the own
            frame, or None; None if no decision has any.
    """

    play: RecordedGame
    shares: Sequence[NDArray[np.floating] | None] | None = None


def games_in_part(folder: Path, number: int) -> int:
    """Return the number of games in an existing part."""
    games: int = parquet.read_metadata(folder / f"games-{number:05d}.parquet").num_rows
    return games


def write_part(
    folder: Path, number: int, games: Sequence[AnnotatedGame], first: int, with_observations: bool
) -> int:
    """Write the files of a part; return its number of decisions.

    Args:
        folder: The folder, created if necessary.
        number: The number of the part, from 0.
        games: Finished games with the same number of players.
        first: The number of the first game in the data.
        with_observations: Whether to write the observation of each decision, as bytes.

    Raises:
        RecordError: A game differs from its record.
        OSError: A file cannot be written.
    """
    (part,) = parts_of([game.play for game in games], len(games), None)
    decisions = _decisions(part, games, first, with_observations)
    # The games come last, because a part without them does not count as written.
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


def _decisions(
    part: Part, games: Sequence[AnnotatedGame], first: int, with_observations: bool
) -> Any:
    data, plays = part.decisions, part.plays
    players = plays[0].header.options.players
    count, lengths = len(data.actions), np.array([len(play.actions) for play in plays])
    begins = np.cumsum(lengths) - lengths
    agents = np.array([[agent.name for agent in play.header.agents] for play in plays])
    notes = np.concatenate([play.notes for play in plays])
    rows, legal = np.nonzero(data.masks)
    offsets = np.searchsorted(rows, np.arange(count + 1)).astype(np.int32)
    names = absolute_frame(players)[data.seats, data.actions]
    columns = {
        "game": first + data.games,
        "number": np.arange(count) - begins[data.games],
        "seat": data.seats,
        "agent": agents[data.games, data.seats],
        "legal": pa.ListArray.from_arrays(offsets, pa.array(legal, pa.uint8())),
        "action": data.actions.astype(np.uint8),
        "name": pa.DictionaryArray.from_arrays(pa.array(names, pa.int16()), _NAMES),
        "probability": _or_null(notes[:, 1]),
        "probabilities": _probabilities(games, offsets),
        "wins": _or_null(notes[:, 0]),
        "result": data.wins,
    }
    schema = DECISIONS
    if with_observations:
        schema = DECISIONS.append(_observation(players))
        vectors = pa.py_buffer(np.ascontiguousarray(data.observations))
        kind = pa.binary(size(players))
        columns[OBSERVATION] = pa.FixedSizeBinaryArray.from_buffers(kind, count, [None, vectors])
    return pa.table(
        [
            column if isinstance(column, pa.Array) else pa.array(column, schema.field(name).type)
            for name, column in columns.items()
        ],
        schema=schema,
    )


def _observation(players: int) -> Any:
    meaning = "the seat's observation as bytes: see the environment's page"
    return _field(OBSERVATION, pa.binary(size(players)), meaning)


def _or_null(values: NDArray[np.float64]) -> Any:
    return pa.array(values, pa.float32(), mask=np.isnan(values))


def _probabilities(games: Sequence[AnnotatedGame], offsets: NDArray[np.int32]) -> Any:
    """Return the lists of probabilities, as long as those of the legal actions, or nulls."""
    shares: list[NDArray[np.floating] | None] = []
    for game in games:
        shares += [None] * len(game.play.actions) if game.shares is None else game.shares
    lists = [None if one is None else np.asarray(one, np.float32) for one in shares]
    lengths = np.diff(offsets)
    assert all(one is None or len(one) == n for one, n in zip(lists, lengths, strict=True)), (
        "there is a probability for each legal action"
    )
    return pa.array(lists, pa.list_(pa.float32()))


# --- Reading --------------------------------------------------------------------------------------


def parts_in(folder: Path) -> list[int]:
    """Return the numbers of the complete parts, ascending."""
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
    schema = GAMES if name == "games" else DECISIONS
    try:
        result = parquet.read_table(path, columns=None if columns is None else list(columns))
    except (OSError, pa.ArrowException, KeyError) as error:
        reason = " ".join(str(error).split())[:200]
        raise DatasetError(f"{path} cannot be read: {reason}") from error
    for column in columns or schema.names:
        if (
            column not in result.column_names
            or result.field(column).type != schema.field(column).type
        ):
            raise DatasetError(
                f"{path} is not a table of {name}: it has no matching column {column}"
            )
    return result


def recorded_games(folder: str | Path) -> Iterator[RecordedGame]:
    """Yield the games of a folder as `records` does, with one part in memory at a time.

    The games have no chances to win or probabilities; `read_table` returns these.

    Raises:
        DatasetError: The folder has no part, or one is damaged; the message names the file.
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

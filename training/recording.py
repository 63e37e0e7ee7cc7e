"""What a teacher sees and does in games of its own: shards of decisions to learn from.

A shard is one ``.npz`` file of some games. Its content follows from the settings and its number
alone, so that a recording that was stopped goes on where it was.
"""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

import agents
from agents import Agent
from agents.base import AgentError, Seen
from agents.randomness import Streams
from impulse_env.actions import N_ACTIONS
from impulse_env.options import Options
from impulse_env.payoffs import score_margins, win_rewards
from training.playing import Tables

GAMES_OF_SHARD: Final = 64
RATED: Final = 12
"""For how many actions of a decision it is kept how much spoke for them."""


@dataclass(frozen=True)
class Source:
    """Whose decisions are recorded, and at which tables.

    Attributes:
        teacher: The agent whose decisions are kept.
        others: Who may sit beside it; every seat is as likely the teacher's as one of theirs.
        player: Who plays in the teacher's place, if somebody does; then the teacher is only asked
            what it would have done there. A pupil learns what to do in its own positions so.
        players: Players of a game, 2 to 6.
        teams: Players per team, or None.
        seed: Of the deals, the seats and the agents.
    """

    teacher: str
    others: tuple[str, ...]
    players: int = 2
    teams: int | None = None
    seed: int = 0
    player: str | None = None

    @property
    def options(self) -> Options:
        """The options of all games."""
        return Options(players=self.players, teams=self.teams)


class Decisions(NamedTuple):
    """Decisions of the teacher, n in all.

    Attributes:
        observations: Shape ``(n, size(players))``, uint8.
        masks: Legal actions, packed, shape ``(n, ceil(N_ACTIONS / 8))``, uint8.
        actions: What the teacher chose, in its own frame, shape ``(n,)``, uint8.
        rated: The actions for which it saw most reason, the first the most, shape
            ``(n, RATED)``, uint8.
        shares: How much spoke for each of them, see `Agent.weigh`, shape ``(n, RATED)``, float16.
        wins: What the end of the game paid to the teacher's seat, shape ``(n,)``, float32.
        leads: How its lead in points changed until then, over the target, shape ``(n,)``, float32.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    rated: NDArray[np.uint8]
    shares: NDArray[np.float16]
    wins: NDArray[np.float32]
    leads: NDArray[np.float32]

    def legal(self, rows: NDArray[np.intp]) -> NDArray[np.uint8]:
        """Return the legal actions of some rows, 1 for legal, shape ``(k, N_ACTIONS)``."""
        return np.unpackbits(self.masks[rows], axis=1, count=N_ACTIONS)

    def targets(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return how much the teacher was for each action, shape ``(k, N_ACTIONS)``; a row is 1."""
        found = np.zeros((len(rows), N_ACTIONS), np.float32)
        np.put_along_axis(found, self.rated[rows].astype(np.int64), self.shares[rows], 1)
        return found / found.sum(1, keepdims=True)

    def paid(self, reward: str) -> NDArray[np.float32]:
        """Return what a training with that reward would pay from the decision on."""
        return self.wins + self.leads if reward == "score" else self.wins

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the decisions of several shards as one."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class _Watched(Tables):
    """Tables at which it is written down what the teacher says to the first entrant's decisions.

    Args:
        teacher: Says it.
        plays: Whether the teacher is the first entrant.
        arguments: Those of `Tables`.
    """

    def __init__(self, teacher: Agent, plays: bool, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.teacher, self.plays = teacher, plays
        self.seen: list[tuple[NDArray[Any], ...]] = []

    def ask(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        if entrant != 0:
            return super().ask(entrant, tables)
        batch, rows = self.batch, self.rows(tables)
        seats = batch.seats[tables].astype(np.int64)
        own = self.streams.take(rows)
        shares = self.teacher.weigh(Seen.in_batch(batch, tables, self.teacher.needs_views), own)
        self.streams.put(rows, own)
        chosen = shares.argmax(1)
        rated = np.argsort(-shares, axis=1, kind="stable")[:, :RATED]
        self.seen.append(
            (
                batch.observations[tables],
                np.packbits(batch.masks[tables], axis=1),
                chosen.astype(np.uint8),
                rated.astype(np.uint8),
                np.take_along_axis(shares, rated, 1).astype(np.float16),
                tables,
                seats,
                score_margins(batch.states[tables], seats),
            )
        )
        return chosen if self.plays else super().ask(entrant, tables)


def record(source: Source, shard: int) -> Decisions:
    """Play the games of a shard; return what the teacher decided, or would have."""
    teacher = agents.make(source.teacher)
    player = teacher if source.player is None else agents.make(source.player)
    entrants = [player, *map(agents.make, source.others)]
    players = source.players
    rng = np.random.default_rng([source.seed, shard])
    deals = rng.integers(2**63, size=GAMES_OF_SHARD)
    who = rng.integers(1, len(entrants), (GAMES_OF_SHARD, players)) if len(entrants) > 1 else 0
    who = np.where(rng.random((GAMES_OF_SHARD, players)) < 0.5, 0, who)
    # There is a lesson in every game.
    who[np.arange(GAMES_OF_SHARD), rng.integers(players, size=GAMES_OF_SHARD)] = 0
    streams = Streams.drawn(rng, GAMES_OF_SHARD * players)
    plays = source.player is None
    watched = _Watched(teacher, plays, entrants, source.options, deals, who, streams)
    while len(watched.step()):
        pass
    *kept, tables, seats, margins = (
        np.concatenate(column) for column in zip(*watched.seen, strict=True)
    )
    ended = watched.batch.states[tables]
    leads = score_margins(ended, seats) - margins
    return Decisions(*kept, win_rewards(ended, seats), leads)


def _record_to(path: Path, source: Source, shard: int) -> int:
    """Record a shard in a file; return its number of decisions. Runs in a process of its own."""
    found = record(source, shard)
    beside = path.with_name(path.name + ".part")
    with beside.open("wb") as file:
        np.savez(file, **found._asdict())  # type: ignore[arg-type]
    beside.replace(path)
    return len(found.actions)


def _open(folder: Path, source: Source) -> None:
    """Make the folder, or see that it is one of this source; raises `AgentError`."""
    for name in filter(None, (source.teacher, source.player, *source.others)):
        agents.make(name)  # a wrong name is told before anything is written
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "source.json"
    wanted = json.loads(json.dumps(asdict(source)))
    if not settings.is_file():
        settings.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
    elif (found := json.loads(settings.read_text(encoding="utf-8"))) != wanted:
        raise AgentError(f"{folder} holds decisions of another source, {found}; not of {wanted}")


def record_all(folder: Path, source: Source, decisions: int, workers: int) -> Iterator[int]:
    """Record shards until there are so many decisions; yield how many there are, again and again.

    Args:
        folder: Where the shards are, and stay.
        source: Whose decisions.
        decisions: How many at least.
        workers: Processes.
    """
    _open(folder, source)
    have = sum(_length(path) for path in sorted(folder.glob("shard-*.npz")))
    yield have
    number, running = 0, set()
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        try:
            while have < decisions:
                while len(running) < 2 * workers:
                    path = folder / f"shard-{number:05d}.npz"
                    if not path.is_file():
                        running.add(pool.submit(_record_to, path, source, number))
                    number += 1
                done = next(as_completed(running))
                running.remove(done)
                have += done.result()
                yield have
        finally:
            pool.shutdown(cancel_futures=True)


def _length(path: Path) -> int:
    with np.load(path) as shard:
        return len(shard["actions"])


def load(folder: Path, decisions: int) -> list[Decisions]:
    """Return the first shards that hold so many decisions, or all; raises `FileNotFoundError`."""
    parts: list[Decisions] = []
    have = 0
    for path in sorted(folder.glob("shard-*.npz")):
        with np.load(path) as shard:
            parts.append(Decisions(**{name: shard[name] for name in Decisions._fields}))
        have += len(parts[-1].actions)
        if have >= decisions:
            break
    if not parts:
        raise FileNotFoundError(f"there are no decisions in {folder}")
    return parts


def batches(count: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Yield all rows once, in random order, in parts of about that size."""
    cuts = np.linspace(0, count, max(1, count // size) + 1).astype(int)
    order = rng.permutation(count)
    for start, stop in pairwise(cuts):
        yield order[start:stop]

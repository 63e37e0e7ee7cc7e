"""Demonstrations on disk, in shards; a recording that was stopped goes on where it was.

A shard is one file of some games. Its content follows from the settings and its number
alone.
"""

import json
from collections.abc import Iterator
from concurrent.futures import Future, as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Any

from impulse_agents import registry
from impulse_agents.base import AgentError
from impulse_env.files import write_atomically
from impulse_env.schema import SchemaError, read_json
from impulse_training.imitation.demonstrations import Demonstrations, record
from impulse_training.imitation.imitation_options import DemonstrationConfig
from impulse_training.imitation.shard_check import read_shard, write_shard
from impulse_training.run.machine.processes import ProcessPool


def _record_to(path: Path, source: DemonstrationConfig, shard: int) -> int:
    """Record a shard in a file; return its number of decisions. Runs in a process of its own."""
    found = record(source, shard)
    write_shard(path, found)
    return len(found.actions)


def _open(folder: Path, source: DemonstrationConfig) -> None:
    """Make the folder, or see that it is one of this source; raises `AgentError`."""
    for name in filter(None, (source.teacher, source.rollout_policy, *source.opponents)):
        registry.make(name)  # a wrong name is told before anything is written
    settings = folder / "source.json"
    wanted = json.loads(json.dumps(asdict(source)))
    if not settings.is_file():
        write_atomically(settings, json.dumps(wanted, indent=1) + "\n")
        return
    try:
        found = read_json(settings.read_bytes(), dict[str, Any])
    except SchemaError as error:
        raise AgentError(f"{settings} is no JSON that tells whose decisions these are") from error
    if found != wanted:
        raise AgentError(f"{folder} holds decisions of another source, {found}; not of {wanted}")


def record_all(
    folder: Path, source: DemonstrationConfig, decisions: int, workers: int
) -> Iterator[int]:
    """Record shards until there are so many decisions; yield how many there are, again and again.

    Args:
        folder: Where the shards are, and stay.
        source: Whose decisions.
        decisions: How many at least.
        workers: Processes.
    """
    _open(folder, source)
    have = sum(_length(path, source.players) for path in sorted(folder.glob("shard-*.safetensors")))
    yield have
    number = 0
    running: set[Future[int]] = set()
    with ProcessPool(workers) as pool:
        while have < decisions:
            while len(running) < 2 * workers:
                path = folder / f"shard-{number:05d}.safetensors"
                if not path.is_file():
                    running.add(pool.submit(_record_to, path, source, number))
                number += 1
            done = next(as_completed(running))
            running.remove(done)
            have += done.result()
            yield have


def _length(path: Path, players: int) -> int:
    return len(read_shard(path, players).actions)


def load(folder: Path, decisions: int, players: int) -> list[Demonstrations]:
    """Return the first shards that hold so many decisions, or all.

    Args:
        folder: Where they are.
        decisions: How many at least.
        players: Of the games.

    Raises:
        FileNotFoundError: There are none.
        ShardError: One of them is damaged, or of other games.
    """
    parts: list[Demonstrations] = []
    have = 0
    for path in sorted(folder.glob("shard-*.safetensors")):
        parts.append(read_shard(path, players))
        have += len(parts[-1].actions)
        if have >= decisions:
            break
    if not parts:
        raise FileNotFoundError(f"there are no decisions in {folder}")
    return parts

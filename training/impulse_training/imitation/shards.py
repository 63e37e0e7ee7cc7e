"""Demonstrations on disk, in shards; a stopped recording can continue.

A shard is one file with the decisions of several games. Its content depends only on the settings
and its number.
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
    """Create the folder, or check that it belongs to this source; raises `AgentError`."""
    for name in filter(None, (source.teacher, source.rollout_policy, *source.opponents)):
        registry.make(name)  # reject a wrong name before anything is written
    settings = folder / "source.json"
    described = json.loads(json.dumps(asdict(source)))
    if not settings.is_file():
        write_atomically(settings, json.dumps(described, indent=1) + "\n")
        return
    try:
        found = read_json(settings.read_bytes(), dict[str, Any])
    except SchemaError as error:
        raise AgentError(
            f"{settings} does not hold the source of these decisions as JSON"
        ) from error
    if found != described:
        raise AgentError(f"{folder} holds decisions of another source, {found}; not of {described}")


def record_all(
    folder: Path, source: DemonstrationConfig, decisions: int, workers: int
) -> Iterator[int]:
    """Record shards until they hold `decisions` decisions; yield their number repeatedly.

    Args:
        folder: The folder of the shards.
        source: The teacher and its games.
        decisions: The least number of decisions.
        workers: Number of processes.
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
    """Return the first shards with at least `decisions` decisions, or all shards.

    Args:
        folder: The folder of the shards.
        decisions: The least number of decisions.
        players: Players of a game.

    Raises:
        FileNotFoundError: The folder has no shards.
        ShardError: A shard is damaged or belongs to other games.
    """
    parts: list[Demonstrations] = []
    have = 0
    for path in sorted(folder.glob("shard-*.safetensors")):
        parts.append(read_shard(path, players))
        have += len(parts[-1].actions)
        if have >= decisions:
            break
    if not parts:
        raise FileNotFoundError(f"{folder} has no decisions")
    return parts

"""Demonstrations from data that `impulse export` wrote."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.dataset.decisions import decisions
from impulse_env.dataset.parquet import DatasetError, games_of_part, parts_in, read_table
from impulse_training.imitation.demonstrations import TOP_ACTIONS, Demonstrations


def demonstrations_in(folder: Path, players: int) -> Iterator[Demonstrations]:
    """Yield the decisions of each part.

    The target is the agent's probabilities where the data have them, else its chosen action.

    Args:
        folder: The folder of the data.
        players: Players of a game.

    Raises:
        DatasetError: A file is damaged, or its games have another number of players.
        RecordError: A game does not replay as recorded.
    """
    for part in parts_in(folder):
        plays = list(games_of_part(folder, part))
        sizes = {play.header.options.players for play in plays}
        if sizes != {players}:
            raise DatasetError(f"{folder} has games of {sorted(sizes)} players, not of {players}")
        found = decisions(plays)
        shares_by_row = read_table(folder, "decisions", part, ["probabilities"])["probabilities"]
        if len(shares_by_row) != len(found.actions):
            raise DatasetError(
                f"{folder}, part {part}: {len(shares_by_row)} decisions, and its games have "
                f"{len(found.actions)}"
            )
        top_actions, shares = _top(
            _shares(found.masks, found.actions, shares_by_row.to_pylist(), folder)
        )
        yield Demonstrations(
            found.observations,
            np.packbits(found.masks, axis=1),
            found.actions.astype(np.uint8),
            top_actions,
            shares,
            found.wins,
            found.score_returns,
        )


def _shares(
    masks: NDArray[np.int8],
    actions: NDArray[np.int64],
    shares_by_row: list[list[float] | None],
    folder: Path,
) -> NDArray[np.float32]:
    """Return the probability of each action, shape ``(n, N_ACTIONS)``."""
    shares = np.zeros((len(actions), N_ACTIONS), np.float32)
    for row, given in enumerate(shares_by_row):
        if given is None:
            shares[row, actions[row]] = 1
            continue
        legal = np.flatnonzero(masks[row])
        if len(given) != len(legal) or not np.isfinite(given).all() or min(given) < 0:
            raise DatasetError(f"{folder}: decision {row} of a part has invalid probabilities")
        shares[row, legal] = given
    return shares


def _top(shares: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    top = np.argsort(-shares, axis=1, kind="stable")[:, :TOP_ACTIONS]
    return top.astype(np.uint8), np.take_along_axis(shares, top, 1).astype(np.float16)

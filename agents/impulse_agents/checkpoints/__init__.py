"""The trained agents that come with the project: this folder's files, found by their names.

``policy:2p`` plays from ``2p.pt`` in here, and so does ``policy+search:2p:300``; beside each file
`impulse model-card` puts a page on how it was trained and what it can do. A new file in this
folder is a new name.
"""

import os
from pathlib import Path
from typing import Final

from impulse_agents.base import AgentError

FOLDER: Final = Path(__file__).resolve().parent
SUFFIX: Final = ".pt"

_PARTS_AFTER: Final = {"policy": 0, "policy+search": 1}
"""How many parts of an agent's name follow its checkpoint, by the kind of the agent."""


def shipped() -> list[str]:
    """Return the names of the checkpoints in this folder, sorted."""
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def path_of(given: str) -> Path:
    """Return the file of a checkpoint.

    Args:
        given: A name of `shipped`; or a path, which has a separator in it or ends in ``.pt``.

    Raises:
        AgentError: There is no such file; the message lists the names that exist.
    """
    path = _path(given)
    if not path.is_file():
        raise AgentError(
            f"there is no checkpoint {given!r}; shipped are {', '.join(shipped()) or 'none'}, and "
            f"a path is allowed: with a separator in it, or {SUFFIX} at its end"
        )
    return path


def checkpoint_in(agent: str) -> str | None:
    """Return the part of an agent's name that says which checkpoint; None if it has none."""
    kind, _, rest = agent.partition(":")
    if kind not in _PARTS_AFTER:
        return None
    return rest.rsplit(":", _PARTS_AFTER[kind])[0]


def file_of(agent: str) -> Path | None:
    """Return the file that the agent of a name is made from; None without one."""
    given = checkpoint_in(agent)
    if given is None:
        return None
    path = _path(given)
    return path if path.is_file() else None


def _path(given: str) -> Path:
    separators = {"/", os.sep, os.altsep or os.sep}
    if given.endswith(SUFFIX) or any(separator in given for separator in separators):
        return Path(given)
    return FOLDER / f"{given}{SUFFIX}"

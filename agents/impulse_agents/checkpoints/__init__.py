"""The trained agents that the project ships: the files of this folder, by name.

``policy:2p`` and ``policy+search:2p:300`` use ``2p.safetensors`` in this folder. Beside each file,
`impulse agents model-card` writes a page on its training and its strength. A new file in this
folder is a new name. A card names its weights by their SHA-256. ``policy:hf:OWNER/NAME`` is an
agent from the Hugging Face Hub (`impulse_agents.checkpoints.hub`).
"""

import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import Final

from impulse_agents.base import AgentError
from impulse_agents.checkpoints import hub
from impulse_env.records import mistaken

FOLDER: Final = Path(__file__).resolve().parent
SUFFIX: Final = ".safetensors"
TRAINED: Final = f"policy{SUFFIX}"
"""File name of the checkpoint in a training's folder."""
BASELINE: Final = "sb3-"
"""Start of the name of a shipped baseline by `impulse train sb3`; the name of a table follows."""

_DIGEST: Final = re.compile(r"^\| SHA-256 of the weights \| `([0-9a-f]{64})` \|$", re.MULTILINE)
_MOST_CARD: Final = 1 << 20
"""Bytes of a card that are read."""
_PARTS_AFTER: Final = {"policy": 0, "policy+search": 1}
"""Number of parts that follow the checkpoint in an agent's name, by the kind of agent."""


def shipped() -> list[str]:
    """Return the names of the checkpoints in this folder, sorted."""
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def checkpoint_for(players: int, team_size: int | None = None) -> str:
    """Return the name of a checkpoint for a kind of table, shipped or not: 3p, 4p-teams."""
    teams = {None: "", 2: "-teams"}
    return f"{players}p{teams.get(team_size, f'-teams-of-{team_size}')}"


def trained_for(players: int, team_size: int | None = None) -> str | None:
    """Return the shipped checkpoint that fits a kind of table best; None without one.

    That is the table's own checkpoint, or else the one for the same number of players without
    teams.
    """
    names = checkpoint_for(players, team_size), checkpoint_for(players)
    return next((name for name in names if name in shipped()), None)


def path_of(given: str) -> Path:
    """Return the file of a checkpoint.

    Args:
        given: A name of `shipped`; a name on the hub, which is downloaded; or a path, which
            contains a separator or ends in `SUFFIX`. The path of a training's folder means the
            policy in it.

    Raises:
        AgentError: The file does not exist; the message lists the names that exist.
        MissingExtraError: It is on the hub, and `huggingface_hub` is not installed.
    """
    if hub.is_name(given):
        return hub.download(given)
    path = _path(given)
    if os.path.exists(path) and not os.path.isfile(path):
        what = f"a folder without {TRAINED}" if path.is_dir() else "no regular file"
        raise AgentError(f"{given!r} is {what}, and a checkpoint is a file{mistaken.told(path)}")
    if not os.path.isfile(path):  # also if the text is not a valid path
        agent = checkpoint_in(given)
        near = mistaken.told(given) if agent is None else f"; did you mean {agent}?"
        if near:
            raise AgentError(f"there is no checkpoint {given!r}{near}")
        raise AgentError(
            f"there is no checkpoint {given!r}; shipped are {', '.join(shipped()) or 'none'}, and "
            f"a path is allowed: with a separator in it, or {SUFFIX} at its end"
        )
    return path


def typed(path: Path) -> str:
    """Return a path for an agent's name; a single word would mean a shipped checkpoint."""
    return f"./{path}" if len(path.parts) < 2 else str(path)


def checkpoint_in(agent: str) -> str | None:
    """Return the checkpoint in an agent's name; None if it has none."""
    kind, _, rest = agent.partition(":")
    if kind not in _PARTS_AFTER:
        return None
    return rest.rsplit(":", _PARTS_AFTER[kind])[0]


def file_of(agent: str) -> Path | None:
    """Return the file of the agent with a name; None without one on this machine."""
    given = checkpoint_in(agent)
    if given is None:
        return None
    path = hub.cached(given) if hub.is_name(given) else _path(given)
    return path if path is not None and os.path.isfile(path) else None


def is_missing_from_hub(agent: str) -> bool:
    """Whether the agent with a name must be downloaded first."""
    given = checkpoint_in(agent)
    return given is not None and hub.is_name(given) and hub.cached(given) is None


def check_card(path: Path, weights: str) -> None:
    """Check that a checkpoint's card, if it has one, describes these weights.

    If somebody has trained a checkpoint further, its card may be older than its weights. Then this
    prints a warning to standard error, once in a process.

    Args:
        path: The checkpoint.
        weights: SHA-256 of its weights, see `impulse_agents.network.weights_file`.

    Raises:
        AgentError: The project ships the checkpoint, so its card must fit.
    """
    card = path.with_suffix(".md")
    described = _digest_in(card)
    if described is None or described == weights:
        return
    fault = f"{path} has weights of SHA-256 {weights[:8]}..., and its card {card.name} describes "
    fault += f"{described[:8]}..."
    if path.resolve().parent == FOLDER:
        raise AgentError(
            f"{fault}: install the project again, or remove that line of the card until "
            "`impulse agents model-card` writes it again, if the weights are yours"
        )
    _warn(f"impulse_agents: {fault}; `impulse agents model-card {path}` writes it again")


def _digest_in(card: Path) -> str | None:
    """Return the SHA-256 in a card; None without one."""
    if not os.path.isfile(card):
        return None
    with open(card, encoding="utf-8", errors="replace") as file:
        match = _DIGEST.search(file.read(_MOST_CARD))
    return None if match is None else match[1]


@cache
def _warn(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _path(given: str) -> Path:
    separators = {"/", os.sep, os.altsep or os.sep}
    if not given.endswith(SUFFIX) and not any(separator in given for separator in separators):
        return FOLDER / f"{given}{SUFFIX}"
    path = Path(given)
    trained = path / TRAINED
    return trained if os.path.isfile(trained) else path

"""The trained agents that come with the project: this folder's files, found by their names.

``policy:2p`` plays from ``2p.safetensors`` in here, and so does ``policy+search:2p:300``;
beside each file `impulse agents model-card` puts a page on how it was trained and what it can do. A
new file in this folder is a new name. A card names the weights that it is about by their SHA-256.
``policy:hf:OWNER/NAME`` is one of the Hugging Face Hub (`impulse_agents.checkpoints.hub`).
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
"""What a training calls the checkpoint in its folder."""

_DIGEST: Final = re.compile(r"^\| SHA-256 of the weights \| `([0-9a-f]{64})` \|$", re.MULTILINE)
_MOST_CARD: Final = 1 << 20
"""Bytes of a card that are read."""
_PARTS_AFTER: Final = {"policy": 0, "policy+search": 1}
"""How many parts of an agent's name follow its checkpoint, by the kind of the agent."""


def shipped() -> list[str]:
    """Return the names of the checkpoints in this folder, sorted."""
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def checkpoint_for(players: int, team_size: int | None = None) -> str:
    """Return what a checkpoint for a kind of table is called, shipped or not: 3p, 4p-teams."""
    teams = {None: "", 2: "-teams"}
    return f"{players}p{teams.get(team_size, f'-teams-of-{team_size}')}"


def trained_for(players: int, team_size: int | None = None) -> str | None:
    """Return the shipped checkpoint that suits a kind of table best; None if there is none.

    That of the table itself, or the one for as many players each for themselves.
    """
    names = checkpoint_for(players, team_size), checkpoint_for(players)
    return next((name for name in names if name in shipped()), None)


def path_of(given: str) -> Path:
    """Return the file of a checkpoint.

    Args:
        given: A name of `shipped`; one of the hub, from where it is downloaded; or a path, which
            has a separator in it or ends in `SUFFIX`. That of a training's folder means the policy
            in it.

    Raises:
        AgentError: There is no such file; the message lists the names that exist.
        MissingExtraError: It is on the hub, and the package that asks there is not installed.
    """
    if hub.is_name(given):
        return hub.download(given)
    path = _path(given)
    if os.path.exists(path) and not os.path.isfile(path):
        what = f"a folder without {TRAINED}" if path.is_dir() else "no regular file"
        raise AgentError(f"{given!r} is {what}, and a checkpoint is a file{mistaken.told(path)}")
    if not os.path.isfile(path):  # of what is no path at all this says so, too
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
    """Return a path as an agent's name has it: a word alone would be a shipped checkpoint."""
    return f"./{path}" if len(path.parts) < 2 else str(path)


def checkpoint_in(agent: str) -> str | None:
    """Return the part of an agent's name that says which checkpoint; None if it has none."""
    kind, _, rest = agent.partition(":")
    if kind not in _PARTS_AFTER:
        return None
    return rest.rsplit(":", _PARTS_AFTER[kind])[0]


def file_of(agent: str) -> Path | None:
    """Return the file that the agent of a name is made from; None without one on this machine."""
    given = checkpoint_in(agent)
    if given is None:
        return None
    path = hub.cached(given) if hub.is_name(given) else _path(given)
    return path if path is not None and os.path.isfile(path) else None


def is_missing_from_hub(agent: str) -> bool:
    """Whether the agent of a name could only be made by downloading it."""
    given = checkpoint_in(agent)
    return given is not None and hub.is_name(given) and hub.cached(given) is None


def check_card(path: Path, weights: str) -> None:
    """See whether a checkpoint's card, if there is one, is about these weights.

    A file of somebody's own may have been trained further than its card tells: then a line on
    standard error says so, once in a process.

    Args:
        path: The checkpoint.
        weights: SHA-256 of its weights, see `impulse_agents.network.weights_file`.

    Raises:
        AgentError: It comes with the project, which ships no weights without their card.
    """
    card = path.with_suffix(".md")
    told = _digest_in(card)
    if told is None or told == weights:
        return
    fault = f"{path} has weights of SHA-256 {weights[:8]}..., and its card {card.name} is about "
    fault += f"{told[:8]}..."
    if path.resolve().parent == FOLDER:
        raise AgentError(
            f"{fault}: install the project again, or remove that line of the card until "
            "`impulse agents model-card` writes it anew, if the weights are yours"
        )
    _warn(f"impulse_agents: {fault}; `impulse agents model-card {path}` writes it anew")


def _digest_in(card: Path) -> str | None:
    """Return the SHA-256 that a card tells; None without one."""
    if not os.path.isfile(card):
        return None
    with open(card, encoding="utf-8", errors="replace") as file:
        found = _DIGEST.search(file.read(_MOST_CARD))
    return None if found is None else found[1]


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

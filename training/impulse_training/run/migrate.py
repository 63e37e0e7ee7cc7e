"""Adapts an agent to a changed observation."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import torch

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_own, is_custom
from impulse_agents.network.checkpoint import (
    CheckpointError,
    check_weights,
    read_other_layout,
)
from impulse_agents.network.config_check import FieldError
from impulse_agents.network.transfer import transfer_sections
from impulse_agents.network.weights_file import weights_digest
from impulse_env.engine.constants import FACES
from impulse_env.errors import did_you_mean
from impulse_env.observation import Kind, Section, sections
from impulse_env.options import OptionError

BY_FACE: Final = "faces"
"""The kind of a section with counts of each face."""
FITTED: Final = ("calibration", "search_calibration", "luck")
"""Keys of a checkpoint's config that were fitted to the play of its weights."""


def migrate(path: Path, removed: Mapping[str, tuple[str, int]]) -> PolicyAgent:
    """Return the agent of a checkpoint for the observation of another version.

    Args:
        path: The checkpoint.
        removed: Kind and largest value of each removed section, by name.

    Raises:
        CheckpointError: The checkpoint cannot be migrated.
        OptionError: `removed` names a section that the checkpoint does not have.
    """
    return _migrated(path, removed)[0]


def _migrated(path: Path, removed: Mapping[str, tuple[str, int]]) -> tuple[PolicyAgent, bool]:
    """Return the agent, and whether its weights were saved in half precision; see `migrate`."""
    config, layout, weights = read_other_layout(path)
    players, network = config["players"], config["network"]
    if is_custom(network):
        raise CheckpointError(
            f"{path} cannot be migrated: it has a custom network, whose layout is unknown"
        )
    for name in removed:
        names = [section for section, _, _ in layout]
        if name not in names:
            raise OptionError(f"{path} has no section {name!r}{did_you_mean(name, names)}")
    parts = [_section(path, players, *one, removed.get(one[0])) for one in layout]
    try:
        with torch.device("meta"):  # shapes without numbers
            expected = build_own(players, network, parts).state_dict()
        check_weights(weights, expected)
    except FieldError as error:
        raise CheckpointError(
            f"the weights of {path} do not fit the network of its sections: {error}"
        ) from error
    except (KeyError, ValueError) as error:  # FieldError is also a ValueError
        raise CheckpointError(
            f"{path} cannot be migrated: its observation lacks sections that networks need"
        ) from error
    known, made = build_own(players, network, parts), build_own(players, network)
    known.load_state_dict(weights)
    transfer_sections(made, known)
    before, after = (weights_digest(one.state_dict()) for one in (known, made))
    for name in FITTED:
        fitted = config.get(name)
        if fitted and fitted.get("weights") == before and not removed:
            config[name] = {**fitted, "weights": after}  # it plays as before
        else:
            config.pop(name, None)
    is_half = any(one.dtype == torch.float16 for one in weights.values())
    return PolicyAgent(made, config, f"policy:{path}"), is_half


def _section(
    path: Path, players: int, name: str, start: int, stop: int, described: tuple[str, int] | None
) -> Section:
    """Return a section of the checkpoint's observation; raises `CheckpointError`."""
    length = stop - start
    if described is None:
        here = {part.name: part for part in sections(players)}
        if name in here and here[name].stop - here[name].start == length:
            return here[name]._replace(start=start, stop=stop)
        now = "none" if name not in here else str(here[name].stop - here[name].start)
        raise CheckpointError(
            f"the section {name[:100]!r} has {length} features in {path}, but {now} here: describe "
            f"the old ones with --removed {name[:100]}=KIND:HIGH"
        )
    kind, high = described
    if kind != BY_FACE:
        return Section(name, start, stop, (length,), ("",), Kind(kind), high, "")
    if length % FACES:
        raise CheckpointError(
            f"{name} has {length} features in {path}: as faces it needs a multiple of {FACES}"
        )
    shape = (length // FACES, FACES)
    return Section(name, start, stop, shape, ("", "face"), Kind.COUNT, high, "")


def removed_sections(texts: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return kinds and largest values by section, from texts such as ``gems=count:20``.

    Raises:
        OptionError: A text has another format.
    """
    described = {}
    kinds = (BY_FACE, *Kind)
    for text in texts:
        name, _, description = text.partition("=")
        kind, _, high = description.partition(":")
        if kind not in kinds or not (high.isascii() and high.isdigit() and 1 <= int(high) <= 255):
            raise OptionError(
                f"--removed takes NAME=KIND:HIGH with a kind of {', '.join(kinds)} and a number "
                f"from 1 to 255, not {text!r}"
            )
        described[name] = (kind, int(high))
    return described


def migrate_file(path: Path, removed: Mapping[str, tuple[str, int]], out: Path) -> None:
    """Migrate the agent of a checkpoint and save it in the same precision; see `migrate`."""
    agent, is_half = _migrated(path, removed)
    agent.save(out, is_half=is_half)

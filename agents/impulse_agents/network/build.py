"""Networks by name: the project's own, and those of other authors.

A dictionary describes a network; a checkpoint contains it as JSON:

    {"kind": "pointers", "width": 256, "policy": [128], "value": [128], "card_dim": 16}
    {"kind": "NAME", "arguments": {...}}

The second form is for another author's network: NAME is an entry point of ``impulse.networks``,
``module:factory`` or ``path/to/file.py:factory``. The factory is called as
``factory(players, layout, actions, **arguments)`` with the sections of the observation
(`impulse_env.observation.sections`) and the number of actions. It returns a `torch.nn.Module` that
takes observations, uint8, shape ``(n, size(players))``, and returns logits, shape ``(n, actions)``,
and values, shape ``(n,)``, both float32.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import torch
from torch import Tensor, nn

from impulse_agents import plugins
from impulse_agents.base import AgentError
from impulse_agents.network.config_check import DEFAULT, KINDS
from impulse_agents.network.features import PrecomputedFeatures
from impulse_agents.network.map_network import MapNetwork
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_env.actions import N_ACTIONS
from impulse_env.errors import did_you_mean
from impulse_env.observation import Section, sections, size

GROUP: Final = "impulse.networks"
"""The group of entry points for networks in installed packages."""
_OWN: Final = {kind.kind: kind for kind in (PolicyNetwork, MapNetwork)}
"""The classes of `KINDS`."""
TRUST: Final = "IMPULSE_TRUST_CODE"
"""Environment variable; if set, code of a file that a checkpoint names may run."""


class NetworkError(AgentError):
    """A network cannot be found or created; the message says why."""


class CustomNetwork(nn.Module):
    """A network of another author, with the methods of `PolicyNetwork`.

    Args:
        module: Returns logits and values of observations.
    """

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def precompute(self, is_learning: bool = False, may_wait: bool = True) -> None:
        """Return None: nothing can be precomputed for an unknown network."""

    def forward(
        self,
        observations: Tensor,
        precomputed: PrecomputedFeatures | None = None,
        masks: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return the logits before masking, and the values."""
        logits, values = self.module(observations)
        return logits, values


Network: TypeAlias = PolicyNetwork | CustomNetwork


def is_custom(config: dict[str, Any]) -> bool:
    """Whether a description means another author's network."""
    return config.get("kind", DEFAULT) not in KINDS


def build_own(
    players: int, config: dict[str, Any], parts: Sequence[Section] | None = None
) -> PolicyNetwork:
    """Return a network of the project, with fresh weights.

    Args:
        players: 2 to 6.
        config: The description, whose kind is one of `KINDS`.
        parts: Sections of the observation, if they differ from those of this version.

    Raises:
        TypeError: An argument does not exist.
    """
    sizes = {name: value for name, value in config.items() if name != "kind"}
    return _OWN[config.get("kind", DEFAULT)](players, **sizes, parts=parts)


def build_network(players: int, config: dict[str, Any], checkpoint: Path | None = None) -> Network:
    """Return the network of a description, with fresh weights.

    Args:
        players: 2 to 6.
        config: The description.
        checkpoint: The file of the description. A file of code that it names runs only if it was
            loaded before, or `TRUST` is set in the environment.

    Raises:
        NetworkError: The network does not exist, or does not work as a network must.
        TypeError: A network of the project has no such argument.
    """
    if not is_custom(config):
        return build_own(players, config)
    name, arguments = config["kind"], config.get("arguments", {})
    factory = _factory(name, checkpoint)
    try:
        module = factory(players, sections(players), N_ACTIONS, **arguments)
    except Exception as error:
        said = " ".join(str(error).split())
        raise NetworkError(
            f"the network {name} cannot be made: {type(error).__name__}: {said}"
        ) from error
    if not isinstance(module, nn.Module):
        raise NetworkError(f"the network {name} is a {type(module).__name__}, not a torch module")
    network = CustomNetwork(module)
    _try_out(name, network, players)
    return network


def _factory(name: str, checkpoint: Path | None) -> Any:
    """Return the factory of a name; raises `NetworkError`."""
    offered = plugins.entry_point_names(GROUP)
    reference = plugins.read_reference(name)
    whose = "" if checkpoint is None else f"{checkpoint} needs the network {name}: "
    try:
        if name in offered:
            return plugins.load_entry_point(GROUP, name)
        if reference is None:
            known = (*KINDS, *offered)
            raise NetworkError(
                f"{whose}there is no network {name!r}{did_you_mean(name, known)} (there are "
                f"{', '.join(known)}, module:factory and path/to/file.py:factory)"
            )
        file = reference.file
        is_trusted = checkpoint is None or os.environ.get(TRUST)
        if file is not None and not is_trusted and not plugins.is_loaded(file):
            raise NetworkError(
                f"{checkpoint} has a network of its own whose code is in {file}: {TRUST}=1 in the "
                "environment lets it be run"
            )
        return plugins.load_reference(reference)
    except plugins.PluginError as error:
        raise NetworkError(f"{whose}{error}") from error


def _try_out(name: str, network: CustomNetwork, players: int) -> None:
    """Raise `NetworkError` unless logits and values have the right shapes and are finite."""
    rows = 2
    try:
        with torch.inference_mode():
            logits, values = network(torch.zeros(rows, size(players), dtype=torch.uint8))
        shapes = tuple(logits.shape), tuple(values.shape)
    except Exception as error:
        said = " ".join(str(error).split())
        raise NetworkError(
            f"the network {name} fails on observations of uint8, shape ({rows}, {size(players)}): "
            f"{type(error).__name__}: {said}"
        ) from error
    if shapes != ((rows, N_ACTIONS), (rows,)):
        raise NetworkError(
            f"the network {name} returns logits and values of shapes {shapes[0]} and {shapes[1]} "
            f"for {rows} observations; they must be ({rows}, {N_ACTIONS}) and ({rows},)"
        )
    if not (torch.isfinite(logits).all() and torch.isfinite(values).all()):
        raise NetworkError(f"the network {name} returns numbers that are not finite")

"""Net2Net: widen and deepen a network, keeping its function.

What is new reads random weights and is read by nobody yet. So nothing is unlearned, and everything
can be learned from the first step on.
"""

from itertools import zip_longest
from typing import Any, Final

import torch
from torch import Tensor, nn

from impulse_agents.network.kinds import POINTING
from impulse_agents.network.policy_network import PolicyNetwork

HEADS: Final = ("policy", "value")
"""Arguments of `PolicyNetwork` that name the hidden layers of either head."""


def can_expand(smaller: dict[str, Any], larger: dict[str, Any]) -> bool:
    """Tell whether a network can begin as another, by the arguments of `PolicyNetwork`.

    One that reads the map may begin as one that points to places.
    """
    others = smaller.keys() - {"kind", "width", *HEADS}
    is_kind = smaller["kind"] == larger["kind"] or (smaller["kind"], larger["kind"]) == POINTING
    return (
        is_kind
        and all(smaller[name] == larger[name] for name in others)
        and all(
            _has_room(
                [larger["width"], *larger[head]],
                [smaller["width"], *smaller[head]],
            )
            for head in HEADS
        )
    )


def _has_room(widths: list[int], known: list[int]) -> bool:
    """Tell whether there are as many layers and units; a layer more must hold the last one."""
    return len(widths) >= len(known) and all(
        width >= its for width, its in zip_longest(widths, known, fillvalue=known[-1])
    )


@torch.no_grad()
def expand(network: PolicyNetwork, other: PolicyNetwork) -> None:
    """Give a network the weights of a smaller one for as many players; `can_expand` must hold.

    Args:
        network: Its weights are written over, but for those of its new units.
        other: The smaller one.
    """
    known = other.state_dict()
    if network.kind != other.kind:  # what it reads of the map adds nothing at first
        for layer in (network.from_map, *network.map_pointer.children()):
            for weight in layer.parameters():
                nn.init.zeros_(weight)
    for name, weight in network.state_dict().items():
        if weight.shape == known.get(name, weight.new_empty(0)).shape:
            weight.copy_(known[name])
    _put(network.features.dense, other.features.dense.weight, other.features.dense.bias)
    policy_readers = [(network.action, other.action)]
    if network.kind in POINTING:
        policy_readers += [
            (network.card_pointer.wanted, other.card_pointer.wanted),
            (network.place_pointer.wanted, other.place_pointer.wanted),
        ]
    if network.kind == other.kind == "map":
        policy_readers.append((network.map_pointer.wanted, other.map_pointer.wanted))
        network.from_map.weight[: len(other.from_map.weight)] = other.from_map.weight
    _grow_head(network.policy, other.policy, policy_readers)
    _grow_head(network.critic, other.critic, [(network.value, other.value)])


def _grow_head(
    hidden: nn.Sequential, known: nn.Sequential, readers: list[tuple[nn.Linear, nn.Linear]]
) -> None:
    """Grow the hidden layers of a head, and what reads the last of them."""
    units = readers[0][1].in_features
    for layer, its in zip_longest(_linear(hidden), _linear(known)):
        if its is None:  # what comes out of a rectifier passes another one unchanged
            _put(layer, torch.eye(units), torch.zeros(units))
        else:
            _put(layer, its.weight, its.bias)
    for reader, its in readers:
        _put(reader, its.weight, its.bias)


def _linear(layers: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in layers if isinstance(layer, nn.Linear)]


def _put(layer: nn.Linear, weight: Tensor, bias: Tensor) -> None:
    """Let the first units of a layer be these, blind to the new units of the layer before."""
    units, inputs = weight.shape
    layer.weight[:units, :inputs] = weight
    layer.weight[:units, inputs:] = 0
    layer.bias[:units] = bias

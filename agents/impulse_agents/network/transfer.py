"""Transfer of weights from a smaller network, another number of players, or another observation.

Rows and columns of weights that depend on the observation have names (`PolicyNetwork.axes`), and
are copied by name. All other weights are copied unchanged: those of cards, places and heads.
"""

from collections.abc import Callable, Collection
from itertools import zip_longest
from typing import Any, Final

import torch

from impulse_agents.network.config_check import KINDS
from impulse_agents.network.features import Name
from impulse_agents.network.policy_network import PolicyNetwork

HEADS: Final = ("policy", "value")
"""Arguments of `PolicyNetwork` for the hidden layers of the two heads."""


def can_expand(smaller: dict[str, Any], larger: dict[str, Any]) -> bool:
    """Return whether a network can start as a smaller one by `PolicyNetwork.widen`.

    A network of the kind "map" can start as one of the kind "pointers".
    """
    others = smaller.keys() - {"kind", "width", *HEADS}
    return (
        KINDS.index(smaller["kind"]) <= KINDS.index(larger["kind"])
        and all(smaller[name] == larger[name] for name in others)
        and all(
            _has_room([larger["width"], *larger[head]], [smaller["width"], *smaller[head]])
            for head in HEADS
        )
    )


def _has_room(widths: list[int], known: list[int]) -> bool:
    """Return whether layers and units suffice; an additional layer must be as wide as the last."""
    return len(widths) >= len(known) and all(
        width >= its for width, its in zip_longest(widths, known, fillvalue=known[-1])
    )


def transfer_players(network: PolicyNetwork, other: PolicyNetwork) -> None:
    """Copy the weights of a network for another number of players.

    Weights for the own seat, and for each other seat in turn order, keep their meaning. A seat that
    the other network lacks gets the weights of its last seat.

    Args:
        network: The network to overwrite.
        other: A network with the same arguments except `players`.

    Raises:
        ValueError: The networks differ in more than the players.
    """
    seats = {part.name for part in network.parts if part.axes[:1] == ("seat",)}

    def stand_in(name: Name, known: Collection[Name]) -> Name | None:
        part, section, *index = name
        while (part, section, *index) not in known and index[0] > 0:
            # Teams have an Impulse each; without teams there is one.
            index[0] = index[0] - 1 if section in seats else 0
        return (part, section, *index) if (part, section, *index) in known else None

    _carry(network, other, stand_in)


def transfer_sections(network: PolicyNetwork, other: PolicyNetwork) -> None:
    """Copy the weights of a network for the same players and another observation.

    Weights for new sections are 0, so at first the network ignores them and gives the same output
    as the other.

    Args:
        network: The network to overwrite.
        other: A network with the same arguments except `parts`.

    Raises:
        ValueError: The networks differ in more than that.
    """
    _carry(network, other, lambda name, known: name if name in known else None)


@torch.no_grad()
def _carry(
    network: PolicyNetwork,
    other: PolicyNetwork,
    stand_in: Callable[[Name, Collection[Name]], Name | None],
) -> None:
    """Copy the weights of another network by names.

    Args:
        network: The network to overwrite, unless an error is raised.
        other: The other network.
        stand_in: Returns the name to copy from, given a name and all names of the other network;
            None: zeros.
    """
    mine, theirs, carried = network.axes(), other.axes(), dict(other.state_dict())
    for weight, axes in mine.items():
        for axis, names in axes.items():
            if weight not in theirs:
                continue  # a network of another kind, which the check below reports
            known = {name: place for place, name in enumerate(theirs[weight][axis])}
            zeros = torch.zeros_like(carried[weight].narrow(axis, 0, 1))
            sources = (stand_in(name, known) for name in names)
            places = [len(known) if name is None else known[name] for name in sources]
            rows = torch.cat([carried[weight], zeros], axis)
            carried[weight] = rows.index_select(axis, torch.tensor(places, device=rows.device))
    for name, weights in network.state_dict().items():
        if name not in carried or carried[name].shape != weights.shape:
            raise ValueError(f"the networks differ in more than the observation: in {name}")
    network.load_state_dict(carried)

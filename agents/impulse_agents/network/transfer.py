"""The weights of another network: a smaller one, for other players, or for another observation.

What along the axes of the weights hangs on the observation has names (`PolicyNetwork.axes`), and a
row or a column is taken over by its name. What does not hang on it is taken over as it is: the
cards, the places, the heads.
"""

from collections.abc import Callable, Collection
from itertools import zip_longest
from typing import Any, Final

import torch

from impulse_agents.network.features import Name
from impulse_agents.network.kinds import KINDS
from impulse_agents.network.policy_network import PolicyNetwork

HEADS: Final = ("policy", "value")
"""Arguments of `PolicyNetwork` that name the hidden layers of either head."""


def can_expand(smaller: dict[str, Any], larger: dict[str, Any]) -> bool:
    """Tell whether a network can begin as another, by their descriptions: `PolicyNetwork.widen`.

    One that reads the map may begin as one that points to places.
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
    """Tell whether there are as many layers and units; a layer more must hold the last one."""
    return len(widths) >= len(known) and all(
        width >= its for width, its in zip_longest(widths, known, fillvalue=known[-1])
    )


def transfer_players(network: PolicyNetwork, other: PolicyNetwork) -> None:
    """Give a network the weights of one for another number of players.

    What stands for the own seat, and for each other seat in turn order, keeps its meaning; a seat
    that the other network did not know begins as the last one that it knew.

    Args:
        network: Its weights are written over.
        other: Must have been made with the same arguments but for `players`.

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
    """Give a network the weights of one for as many players and another observation.

    What reads a section that is new has weights of 0: whatever it holds, the network answers as
    the other does.

    Args:
        network: Its weights are written over.
        other: Must have been made with the same arguments but for `parts`.

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
    """Give a network the weights of another, by names, unless they differ in more.

    Args:
        network: Its weights are written over, if no error is raised.
        other: The other network.
        stand_in: Returns whose weights a name has, given the names that there are; None: zeros.
    """
    mine, theirs, found = network.axes(), other.axes(), dict(other.state_dict())
    for weight, axes in mine.items():
        for axis, names in axes.items():
            if weight not in theirs:
                continue  # a network of another kind, which is found out below
            known = {name: place for place, name in enumerate(theirs[weight][axis])}
            zeros = torch.zeros_like(found[weight].narrow(axis, 0, 1))
            sources = (stand_in(name, known) for name in names)
            places = [len(known) if name is None else known[name] for name in sources]
            rows = torch.cat([found[weight], zeros], axis)
            found[weight] = rows.index_select(axis, torch.tensor(places, device=rows.device))
    for name, weights in network.state_dict().items():
        if name not in found or found[name].shape != weights.shape:
            raise ValueError(f"the networks differ in more than the observation: in {name}")
    network.load_state_dict(found)

"""Load weights trained for another number of players.

What does not depend on the players is taken over as it is: the cards, the places, the heads. Of the
first dense layer and of what describes the map, what stands for the own seat, and for each other
seat in turn order, keeps its meaning; a seat that the other network did not know begins as the last
one that it knew.
"""

from typing import Any, Final

import torch
from torch import Tensor

from impulse_agents.network.features import Features
from impulse_agents.network.map_encoder import BY_CELL, BY_GATE
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_env.observation import sections

_BY_SEAT: Final = {
    "place_pointer.in_cell.weight": 2,  # Transports there by seat, then Cruisers around it by seat
    "place_pointer.at_gate.weight": 1,
    "map.cell_seats.weight": len(BY_CELL),
    "map.gate_seats.weight": len(BY_GATE),
}
"""Weights with a column for each seat, and how many times the seats stand there."""
_CONTEXT: Final = "map.context.counts.weight"
"""Weights with a column for every count of the context, some of them by seat."""


@torch.no_grad()
def transfer_players(network: PolicyNetwork, other: PolicyNetwork) -> None:
    """Give a network the weights of one for another number of players.

    Args:
        network: Its weights are written over.
        other: Must have been made with the same arguments but for `players`.

    Raises:
        ValueError: The networks differ in more than the players, or read bare numbers ("flat"),
            in which no seat can be told from another.
    """
    features, others = network.features, other.features
    if not (isinstance(features, Features) and isinstance(others, Features)):
        raise ValueError("a flat network cannot begin as one for another number of players")
    weights, found = network.state_dict(), dict(other.state_dict())
    found["features.dense.weight"] = _dense(features, others)
    if network.kind == "map":
        names, theirs = (one.map.context.names["counts"] for one in (network, other))
        given = found[_CONTEXT]
        columns = {("", *name): given[:, [k]] for k, name in enumerate(theirs)}
        found[_CONTEXT] = _in_order([("", *name) for name in names], columns, features.players)
    for name, times in _BY_SEAT.items():
        if name in found:
            found[name] = _by_seat(found[name], times, features.players, others.players)
    for name, weight in weights.items():
        if name not in found or found[name].shape != weight.shape:
            raise ValueError(f"the networks differ in more than the players: in {name}")
    network.load_state_dict(found)


def _dense(features: Features, others: Features) -> Tensor:
    """Return the first layer's weights with the columns in the order of the other players."""
    blocks, start = {}, 0
    for name, length in others.inputs():
        blocks[name] = others.dense.weight[:, start : start + length]
        start += length
    return _in_order([name for name, _ in features.inputs()], blocks, features.players)


def _in_order(
    names: list[tuple[Any, ...]], blocks: dict[tuple[Any, ...], Tensor], players: int
) -> Tensor:
    """Return the columns of the names, from those that are known by their own.

    Args:
        names: Of the columns that are wanted: a part, a section and the index in it.
        blocks: The columns of each name that is known.
        players: Of the network that wants them.
    """
    seats = {part.name: part.axes[:1] == ("seat",) for part in sections(players)}

    def block(name: tuple[Any, ...]) -> Tensor:
        part, section, *index = name
        if seats[section]:
            while (part, section, *index) not in blocks:
                index[0] -= 1  # a seat that is not known begins as the last that is
        elif (part, section, *index) not in blocks:
            index[0] = 0  # teams have an Impulse each; without teams there is one
        return blocks[part, section, *index]

    return torch.cat([block(name) for name in names], 1)


def _by_seat(weight: Tensor, times: int, players: int, known: int) -> Tensor:
    seats = torch.arange(players).clamp(max=known - 1)
    return torch.cat([weight[:, known * k : known * (k + 1)][:, seats] for k in range(times)], 1)

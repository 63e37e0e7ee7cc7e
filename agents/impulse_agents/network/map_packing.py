"""The weights of a `MapEncoder` and its pointer as `MapWeights` wants them."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from impulse_agents.network.compiled_weights import MapWeights
from impulse_agents.network.kinds import MAP_DIM
from impulse_agents.network.map_encoder import (
    BY_CELL,
    BY_GATE,
    FEW_PLACES,
    FLEET,
    MARKS,
    POOLS,
    MapContext,
    MapEncoder,
    MapRound,
)
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_env.engine.constants import CELLS, GATES


def floats(values: Tensor) -> NDArray[np.float32]:
    """Return a copy of some weights, rows after one another."""
    return np.array(values.detach().float().numpy(), np.float32, order="C")


def pack_map(network: PolicyNetwork) -> MapWeights:
    """Return copies of the weights with which a network of the kind "map" reads the map."""
    encoder, pointer = network.map, network.map_pointer
    context = encoder.context
    about, rows, bias = _context_rows(context, encoder.cards())
    columns, first_row, highest_code = about
    lying = ("cell_card", "transports", "cruisers", "home")
    moving = ("fleet_from", "fleet_ships", "path", "frame_place")
    lengths = [encoder.where[name] for name in ("fleet_from", "path")]
    rounds = [one for one in encoder.rounds if isinstance(one, MapRound)]
    ends = (pointer.cell, pointer.gate)
    return MapWeights(
        columns=columns,
        first_row=first_row,
        highest_code=highest_code,
        context_rows=floats(rows),
        context_bias=floats(bias),
        told=floats(context.out.weight.T),
        told_bias=floats(context.out.bias),
        starts=np.array([encoder.where[name].start for name in (*lying, *moving)], np.int64),
        fleets=np.array([part.stop - part.start for part in lengths], np.int64),
        cards=floats(encoder.cards()),
        cell_seats=floats(_by_seat(encoder.cell_seats.weight, len(BY_CELL))),
        gate_seats=floats(_by_seat(encoder.gate_seats.weight, len(BY_GATE))),
        marks=floats(_marks(encoder)),
        spots=floats(encoder.spot),
        rounds=floats(torch.stack([_matrices(one) for one in rounds])),
        news=floats(torch.stack([one.told.weight.T for one in rounds])),
        news_bias=floats(torch.stack([one.told.bias for one in rounds])),
        pools=floats(_pools(network.from_map.weight)),
        wanted=floats(pointer.wanted.weight.T),
        wanted_bias=floats(pointer.wanted.bias),
        always=floats(torch.stack([torch.cat([end.weight[0], end.bias]) for end in ends])),
    )


def _context_rows(
    context: MapContext, cards: Tensor
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], Tensor, Tensor]:
    """Return what `MapWeights` says of the columns, all rows end to end, and the bias.

    The rows of what counts, then a table for each column that chooses by its code. What the code 0
    adds is in the bias, and rows say how much more another code adds.
    """
    sizes = np.diff([*context.code_offsets.tolist(), len(context.codes.weight)])
    tables = [*torch.split(context.codes.weight, sizes.tolist())]
    tables += [cards @ part for part in context.cards]
    counted = context.counts.weight.T * context.scale[:, None]
    lengths = [1] * len(counted) + [len(table) for table in tables]
    columns = torch.cat([context.columns, context.code_columns, context.card_columns])
    about = (
        columns.numpy().astype(np.int64),
        np.cumsum([0, *lengths[:-1]]).astype(np.int64),
        np.array(lengths, np.int64) - 1,
    )
    rows = torch.cat([counted, *(table - table[0] for table in tables)])
    return about, rows, context.counts.bias + sum(table[0] for table in tables)


def _by_seat(weight: Tensor, times: int) -> Tensor:
    """Return weights of inputs that stand by seat, some after another, ``(times, players, d)``.

    The first are counts of ships, which are scaled here.
    """
    found = weight.T.view(times, -1, MAP_DIM).clone()
    found[0] /= FLEET
    return found


def _marks(encoder: MapEncoder) -> Tensor:
    found = torch.stack([encoder.cell_marks.weight.T, encoder.gate_marks.weight.T])
    found[:, MARKS.index("ships to move")] /= FLEET
    return found


def _matrices(one: MapRound) -> Tensor:
    """Return the matrices of an exchange, inputs by outputs; a cell halves what its gates say."""
    linear = (one.gate.weight, one.gate_of_cells.weight, one.cell.weight)
    return torch.stack([*(weight.T for weight in linear), one.cell_of_gates.weight.T / 2])


def _pools(weight: Tensor) -> Tensor:
    """Return what the sums add to the features, by pool; means are of sums here."""
    divisors = torch.tensor([CELLS, GATES, FEW_PLACES, FEW_PLACES])
    return weight.T.view(len(POOLS), MAP_DIM, -1) / divisors[:, None, None]

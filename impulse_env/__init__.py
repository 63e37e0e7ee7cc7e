"""Impulse (Carl Chudyk, 2014) as a reinforcement-learning environment.

Importing it registers ``impulse/impulse-v0`` with PettingZoo and ``Impulse-v0`` with Gymnasium.
"""

from impulse_env import impulse_v0, observation
from impulse_env._version import __version__
from impulse_env.actions import N_ACTIONS, UnknownActionError
from impulse_env.batch import GameBatch, Playouts, random_playouts
from impulse_env.environments.registration import register_all
from impulse_env.errors import (
    ArgumentError,
    GameBytesError,
    HiddenGameError,
    IllegalActionError,
    PositionError,
    RecordError,
)
from impulse_env.game import Game
from impulse_env.options import OptionError, Options
from impulse_env.records.reader import read as read_record
from impulse_env.records.record import Record

__all__ = [
    "N_ACTIONS",
    "ArgumentError",
    "Game",
    "GameBatch",
    "GameBytesError",
    "HiddenGameError",
    "IllegalActionError",
    "OptionError",
    "Options",
    "Playouts",
    "PositionError",
    "Record",
    "RecordError",
    "UnknownActionError",
    "__version__",
    "impulse_v0",
    "observation",
    "random_playouts",
    "read_record",
    "register_all",
]

register_all()

"""Kinds and limits of networks, and the check of a checkpoint's config; needs no torch.

    format       2
    players      2 to 6
    layout       sections of the observation and number of actions of this version
    network      see `impulse_agents.network.build`
    trained      options of the training; `reward` and the teams are checked
    training     history of the training, for the model card
    recipe       the stage of a recipe that made it
    calibration  coefficients, and the digest of their weights
    search_calibration
                 the same for a search that the network guides
    luck         coefficients of the luck adjustment, and the digest of their weights

The first four are required. Unknown fields are allowed and not checked.
"""

import reprlib
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from impulse_env.actions import N_ACTIONS
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.environments.rewards import REWARDS
from impulse_env.errors import ImpulseError
from impulse_env.observation import sections, size
from impulse_env.schema import SchemaError, checked, read_json

KINDS: Final = ("pointers", "map")
"""The kinds, the simplest first; each contains the earlier ones, and may start from their weights.
"""
DEFAULT: Final = "pointers"
"""The default kind of a training: in a few minutes it learns from more decisions than the other."""
WIDEST: Final = 1 << 14
"""Largest number of units of a layer or an embedding."""
MOST_LAYERS: Final = 64
"""Largest number of hidden layers of a head."""


FORMAT: Final = 2
_DEEPEST: Final = 200
"""Deepest nesting of lists and dictionaries; each warm start adds a level to the history."""
_LARGEST: Final = 1e6
"""Largest coefficient of a calibration, far beyond useful values."""
_LONGEST_NAME: Final = 4096


class FieldError(ImpulseError, ValueError):
    """A field is invalid; the message begins with the field, without the name of the file."""


def read_config(text: str) -> dict[str, Any]:
    """Return the checked config of a checkpoint; add the kind of network if it is missing.

    Raises:
        FieldError: A field is missing or invalid.
    """
    try:
        config = read_json(text, dict[str, Any], "config")
        fields = checked(config, _Config)
        if fields.format != FORMAT:
            raise FieldError(f"format {fields.format} is not {FORMAT}")
        _check_depth(config)
        layout = observation_layout(fields.players)
        if fields.layout != layout:
            raise FieldError(
                "layout differs from this version's: the network was trained on another version of "
                "the observation or of the actions"
            )
        kind = fields.network.setdefault("kind", DEFAULT)
        checked(kind, _Name, "network.kind")
        checked(fields.network, _Network if kind in KINDS else _OthersNetwork, "network")
        if isinstance(config.get("training"), dict):
            checked(config["training"], _Training, "training")
        if fields.luck is not None:
            factors = {name: one for name, one in fields.luck.items() if name != "weights"}
            checked(fields.luck, _Luck, "luck")
            checked(factors, dict[str, _Factor], "luck")
    except SchemaError as error:
        raise FieldError(str(error)) from error
    reward = fields.trained.reward if fields.trained else None
    if reward not in (None, *REWARDS):
        allowed = ", ".join(REWARDS)
        raise FieldError(f"trained.reward must be one of {allowed}, not {reprlib.repr(reward)}")
    return {**config, "layout": layout, "network": fields.network}


def observation_layout(players: int) -> dict[str, Any]:
    """Return this version's layout, with which a checkpoint must agree."""
    return {
        "observation": size(players),
        "sections": [[s.name, s.start, s.stop] for s in sections(players)],
        "actions": N_ACTIONS,
    }


# --- Fields ---------------------------------------------------------------------------------------

_Name = Annotated[str, Meta(min_length=1, max_length=_LONGEST_NAME)]
_Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
_Width = Annotated[int, Meta(ge=1, le=WIDEST)]
_Layers = Annotated[list[_Width], Meta(max_length=MOST_LAYERS)]
_Factor = Annotated[float, Meta(ge=0, le=_LARGEST)]
_Coefficient = Annotated[float, Meta(ge=-_LARGEST, le=_LARGEST)]
_Seats = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]


@dataclass
class _Network:
    """The description of one of the project's networks."""

    width: _Width
    policy: _Layers
    value: _Layers
    card_dim: _Width
    kind: str


@dataclass
class _OthersNetwork:
    kind: str
    arguments: dict[str, Any] = field(default_factory=dict)


class _Trained(Struct):
    reward: str | None = None
    team_size: _Seats | None = None
    teams: _Seats | None = None


class _Training(Struct):
    recipe: str | None = None


class _Recipe(Struct):
    leg: str | None = None
    digest: str | None = None


class _Luck(Struct):
    """The digest of the weights that the coefficients of the luck adjustment belong to."""

    weights: _Digest


class _Calibration(Struct):
    """A calibration; without coefficients it has no effect, see `impulse_agents.calibration`."""

    weights: _Digest
    slope: _Factor = 0
    cubic: _Factor = 0
    progress: _Coefficient = 0
    bias: _Coefficient = 0
    error: Annotated[float, Meta(ge=0, le=1)] | None = None
    report: dict[str, Any] = {}


class _Config(Struct):
    format: int
    players: Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
    layout: dict[str, Any]
    network: dict[str, Any]
    trained: _Trained | None = None
    recipe: _Recipe | None = None
    calibration: _Calibration | None = None
    search_calibration: _Calibration | None = None
    luck: dict[str, Any] | None = None


def _check_depth(config: Any) -> None:
    """Reject a config that is nested too deeply to be written again."""
    level: list[Any] = [config]
    for _ in range(_DEEPEST):
        inner = [one.values() if isinstance(one, dict) else one for one in level]
        level = [one for part in inner for one in part if isinstance(one, dict | list)]
        if not level:
            return
    raise FieldError(f"config has more than {_DEEPEST} levels of nesting")

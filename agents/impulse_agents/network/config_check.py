"""What a checkpoint says of itself, as checked data: names, types and ranges of its fields.

    format       2
    players      2 to 6
    layout       sections of the observation and number of actions, as they are here
    network      see `impulse_agents.network.build`
    trained      options of the training; `reward` and the teams are looked at
    training     what was done, for the model card
    recipe       the leg of a recipe that made it
    calibration  coefficients, and the weights that they hold for
    search_calibration
                 the same for a search that the network guides
    luck         factors of the luck that the network sees, and the weights that they hold for

The first four must be there. Others may be, whose content is nobody's business here.
"""

import reprlib
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from impulse_agents.network.kinds import DEFAULT, KINDS, MOST_LAYERS, WIDEST
from impulse_env.actions import N_ACTIONS
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.environments.rewards import REWARDS
from impulse_env.errors import ImpulseError
from impulse_env.observation import sections, size
from impulse_env.schema import SchemaError, checked, read_json

FORMAT: Final = 2
_DEEPEST: Final = 200
"""Of lists and dictionaries in one another; each warm start adds one to the story of a training."""
_LARGEST: Final = 1e6
"""Of a calibration's coefficients: odds of e to the millionth are none."""
_LONGEST_NAME: Final = 4096


class FieldError(ImpulseError, ValueError):
    """A field is not what it may be; the message begins with it, and lacks the file's name."""


def read_config(text: str) -> dict[str, Any]:
    """Return the config of a checkpoint, with the kind of its network if that was left out.

    Raises:
        FieldError: A field is missing, or is not what it may be.
    """
    try:
        config = read_json(text, dict[str, Any], "config")
        said = checked(config, _Config)
        if said.format != FORMAT:
            raise FieldError(f"format {said.format} is not {FORMAT}")
        _check_depth(config)
        layout = observation_layout(said.players)
        if said.layout != layout:
            raise FieldError(
                "layout is not the one here: it was trained on another version of the observation "
                "or of the actions"
            )
        kind = said.network.setdefault("kind", DEFAULT)
        checked(kind, _Name, "network.kind")
        checked(said.network, _Network if kind in KINDS else _OthersNetwork, "network")
        if isinstance(config.get("training"), dict):
            checked(config["training"], _Training, "training")
        if said.luck is not None:
            factors = {name: one for name, one in said.luck.items() if name != "weights"}
            checked(said.luck, _Luck, "luck")
            checked(factors, dict[str, _Factor], "luck")
    except SchemaError as error:
        raise FieldError(str(error)) from error
    reward = said.trained.reward if said.trained else None
    if reward not in (None, *REWARDS):
        allowed = ", ".join(REWARDS)
        raise FieldError(f"trained.reward must be one of {allowed}, not {reprlib.repr(reward)}")
    return {**config, "layout": layout, "network": said.network}


def observation_layout(players: int) -> dict[str, Any]:
    """Return what a checkpoint must agree with to be of use."""
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
    """Of the project."""

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
    """Factors by name, and the weights that they hold for."""

    weights: _Digest


class _Calibration(Struct):
    """Without coefficients it is none, see `impulse_agents.calibration`."""

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
    """Refuse what is nested so deeply that it could be read but not be written again."""
    level: list[Any] = [config]
    for _ in range(_DEEPEST):
        inner = [one.values() if isinstance(one, dict) else one for one in level]
        level = [one for part in inner for one in part if isinstance(one, dict | list)]
        if not level:
            return
    raise FieldError(f"config has more than {_DEEPEST} objects in one another")

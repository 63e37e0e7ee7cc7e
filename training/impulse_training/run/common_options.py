"""Options that several trainings have in common: of the games, the network, and PPO."""

from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from impulse_agents.network.config_check import DEFAULT, KINDS, MOST_LAYERS, WIDEST
from impulse_env.errors import ImpulseError
from impulse_env.options import OptionError, Options, check_least
from impulse_env.schema import SchemaError, read_json


class ConfigError(ImpulseError, ValueError):
    """An option of a training has a value that does not work; the message says which do."""


@dataclass(frozen=True)
class GameArgs:
    """What is played, and what for."""

    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    reward: str = "score"
    """"win", or "score" with the change of the lead in points."""

    @property
    def options(self) -> Options:
        """The options of all games."""
        return Options(players=self.players, team_size=self.team_size)


@dataclass(frozen=True)
class NetworkArgs:
    """What is trained."""

    network: str = DEFAULT
    """The network: pointers (embeds cards and places, and scores every one as an action) or map
    (also reads the map as a graph); or one of your own: an entry point of impulse.networks,
    module:factory or path/to/file.py:factory."""
    network_args: str = "{}"
    """Keyword arguments of a network of your own, as JSON."""
    width: int = 256
    """Width of the features."""
    policy_layers: tuple[int, ...] = (128,)
    """Widths of the policy's hidden layers."""
    value_layers: tuple[int, ...] = (128,)
    """Widths of the value's hidden layers."""
    card_dim: int = 16
    """Length of a card's embedding."""

    @property
    def network_config(self) -> dict[str, Any]:
        """What a checkpoint keeps of it, see `impulse_agents.network.build`."""
        if self.network not in KINDS:
            return {"kind": self.network, "arguments": _json_object(self.network_args)}
        return {
            "kind": self.network,
            "width": self.width,
            "policy": self.policy_layers,
            "value": self.value_layers,
            "card_dim": self.card_dim,
        }


@dataclass(frozen=True)
class PpoArgs:
    """How it learns."""

    epochs: int = 2
    """Passes over the decisions of an update."""
    gamma: float = 0.998
    """Discount from one decision to the next; a game has about 80."""
    gae_lambda: float = 0.95
    """How far advantages look ahead before they trust the value."""
    clip_range: float = 0.2
    """How far an update may change the odds of an action."""
    ent_coef: float = 0.01
    """Weight of the bonus for undecided policies."""
    vf_coef: float = 0.5
    """Weight of the value's loss."""


DEFAULT_MINUTES: Final = 10.0
"""Of a training that is not told how long to go on."""

B = TypeVar("B", bound="BudgetArgs")


@dataclass(frozen=True)
class BudgetArgs:
    """How long it goes on."""

    minutes: float | None = None
    """Stop after so many minutes of training; 10 if neither these nor timesteps are given."""
    timesteps: int | None = None
    """Stop after so many decisions of the learner, those before a resumption included."""

    def with_default_budget(self: B) -> B:
        """Return the options with `DEFAULT_MINUTES` if nothing else ends the training."""
        if self.minutes is None and self.timesteps is None:
            return replace(self, minutes=DEFAULT_MINUTES)
        return self


def check_network(args: NetworkArgs) -> None:
    """Raise `ConfigError` or `OptionError` if an option of the network does not work."""
    check_least(args, 1, "width", "policy_layers", "value_layers", "card_dim")
    for name in ("policy_layers", "value_layers"):
        count = len(getattr(args, name))
        if count > MOST_LAYERS:
            raise OptionError(f"{name} must be {MOST_LAYERS} layers or fewer, not {count}")
    for name in ("width", "policy_layers", "value_layers", "card_dim"):
        value = getattr(args, name)
        for number in value if isinstance(value, tuple) else (value,):
            if number > WIDEST:  # a checkpoint of it could not be loaded
                raise OptionError(f"{name} must be {WIDEST} or less, not {number}")
    if args.network in KINDS and _json_object(args.network_args):
        raise ConfigError(
            f"--network-args are for a network of your own; {args.network} takes --width, "
            "--policy-layers, --value-layers and --card-dim"
        )


def _json_object(text: str) -> dict[str, Any]:
    """Return what ``--network-args`` says; raises `ConfigError`."""
    try:
        return read_json(text, dict[str, Any], "--network-args")
    except SchemaError as error:
        raise ConfigError(f'{error} (it takes an object such as {{"width": 64}})') from error

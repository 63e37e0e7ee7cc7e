"""Options that several commands share: games, limits of agents, network, PPO and budget."""

from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from impulse_agents.asking.limits import Limits
from impulse_agents.network.config_check import DEFAULT, KINDS, MOST_LAYERS, WIDEST
from impulse_env.errors import ImpulseError
from impulse_env.options import OptionError, Options, check_least
from impulse_env.schema import SchemaError, read_json


class ConfigError(ImpulseError, ValueError):
    """A training option has an invalid value; the message says which values are allowed."""


@dataclass(frozen=True, kw_only=True)
class TableArgs:
    """The players of all games."""

    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""

    @property
    def options(self) -> Options:
        """The options of all games; raises `OptionError`."""
        return Options(players=self.players, team_size=self.team_size)


@dataclass(frozen=True)
class GameArgs(TableArgs):
    """The games and their reward."""

    reward: str = "score"
    """Reward: "win", or "score" for the change of the lead in points."""


@dataclass(frozen=True, kw_only=True)
class LimitArgs:
    """The limits of agents."""

    time_limit: float | None = None
    """Seconds per decision; an agent that takes longer fails. With a limit, agents run in a
    separate process and play one game at a time."""
    game_time_limit: float | None = None
    """Seconds for all decisions of a seat in a game."""
    memory_limit: float | None = None
    """GiB that agents may allocate after their creation; Linux only."""

    @property
    def limits(self) -> Limits:
        """The limits; raises `LimitError`."""
        return Limits.of(self)


@dataclass(frozen=True)
class NetworkArgs:
    """The network."""

    network: str = DEFAULT
    """Network: pointers (embeds cards and places, and scores each as an action), map (also reads
    the map as a graph), or your own. Your own is an entry point of impulse.networks,
    module:factory or path/to/file.py:factory."""
    network_args: str = "{}"
    """Keyword arguments of your own network, as JSON."""
    width: int = 256
    """Width of the shared features."""
    policy_layers: tuple[int, ...] = (128,)
    """Widths of the policy head's hidden layers."""
    value_layers: tuple[int, ...] = (128,)
    """Widths of the value head's hidden layers."""
    card_dim: int = 16
    """Length of a card's embedding."""

    @property
    def network_config(self) -> dict[str, Any]:
        """The network's description in a checkpoint, see `impulse_agents.network.build`."""
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
    """The parameters of PPO."""

    epochs: int = 2
    """Passes over the decisions of an update."""
    gamma: float = 0.998
    """Discount factor per decision; a game has about 80 decisions."""
    gae_lambda: float = 0.95
    """GAE's lambda, the bias-variance trade-off of advantages, from 0 to 1."""
    clip_range: float = 0.2
    """PPO's clip range for the probability ratio."""
    ent_coef: float = 0.01
    """Weight of the entropy bonus."""
    vf_coef: float = 0.5
    """Weight of the value loss."""


DEFAULT_MINUTES: Final = 10.0
"""Minutes of a training run without a limit."""

B = TypeVar("B", bound="BudgetArgs")


@dataclass(frozen=True)
class BudgetArgs:
    """The limits of a training run."""

    minutes: float | None = None
    """Stop after this many minutes of training; 10 if there is no limit."""
    timesteps: int | None = None
    """Stop after this many decisions of the learner; a resumed run counts its earlier ones."""

    def with_default_budget(self: B) -> B:
        """Return the options, with `DEFAULT_MINUTES` if they have no limit."""
        if self.minutes is None and self.timesteps is None:
            return replace(self, minutes=DEFAULT_MINUTES)
        return self


def check_network(args: NetworkArgs) -> None:
    """Raise `ConfigError` or `OptionError` if an option of the network is invalid."""
    check_least(args, 1, "width", "policy_layers", "value_layers", "card_dim")
    for name in ("policy_layers", "value_layers"):
        count = len(getattr(args, name))
        if count > MOST_LAYERS:
            raise OptionError(f"{name} must be {MOST_LAYERS} layers or fewer, not {count}")
    for name in ("width", "policy_layers", "value_layers", "card_dim"):
        value = getattr(args, name)
        for number in value if isinstance(value, tuple) else (value,):
            if number > WIDEST:  # its checkpoint could not be loaded
                raise OptionError(f"{name} must be {WIDEST} or less, not {number}")
    if args.network in KINDS and _json_object(args.network_args):
        raise ConfigError(
            f"--network-args needs your own network; {args.network} takes --width, "
            "--policy-layers, --value-layers and --card-dim"
        )


def _json_object(text: str) -> dict[str, Any]:
    """Return the value of ``--network-args``; raises `ConfigError`."""
    try:
        return read_json(text, dict[str, Any], "--network-args")
    except SchemaError as error:
        raise ConfigError(f'{error} (an object such as {{"width": 64}} is expected)') from error

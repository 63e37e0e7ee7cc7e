"""Options that several trainings have in common: of the games, the network, and PPO."""

from dataclasses import dataclass
from typing import Annotated, Any

from impulse_agents.network.kinds import KINDS
from impulse_env.options import Options


@dataclass(frozen=True)
class GameArgs:
    """What is played, and what for."""

    players: Annotated[int, "players of a game, 2 to 6"] = 2
    teams: Annotated[int | None, "players per team: 2 with 4 players, 2 or 3 with 6"] = None
    reward: Annotated[str, '"win", or "score" with the change of the lead in points'] = "score"

    @property
    def options(self) -> Options:
        """The options of all games."""
        return Options(players=self.players, teams=self.teams)


@dataclass(frozen=True)
class NetworkArgs:
    """What is trained."""

    kind: Annotated[str, f"network: {', '.join(KINDS)}"] = KINDS[-1]
    width: Annotated[int, "width of the features"] = 256
    policy_layers: Annotated[tuple[int, ...], "widths of the policy's hidden layers"] = (128,)
    value_layers: Annotated[tuple[int, ...], "widths of the value's hidden layers"] = (128,)
    card_dim: Annotated[int, "length of a card's embedding"] = 16

    @property
    def network(self) -> dict[str, Any]:
        """The arguments of `PolicyNetwork` but for `players`."""
        return {
            "kind": self.kind,
            "width": self.width,
            "policy": self.policy_layers,
            "value": self.value_layers,
            "card_dim": self.card_dim,
        }


@dataclass(frozen=True)
class PpoArgs:
    """How it learns."""

    epochs: Annotated[int, "passes over the decisions of an update"] = 2
    gamma: Annotated[float, "discount from one decision to the next; a game has about 80"] = 0.998
    gae_lambda: Annotated[float, "how far advantages look ahead before they trust the value"] = 0.95
    clip: Annotated[float, "how far an update may change the odds of an action"] = 0.2
    entropy: Annotated[float, "weight of the bonus for undecided policies"] = 0.01
    value: Annotated[float, "weight of the value's loss"] = 0.5

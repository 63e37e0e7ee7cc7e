"""What a training begins with: the weights of a checkpoint."""

import json
from dataclasses import replace
from typing import Any, TypeVar

from impulse_agents import registry
from impulse_agents.base import AgentError
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_own, is_custom
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_agents.network.transfer import can_expand, transfer_players
from impulse_training.run.common_options import NetworkArgs

A = TypeVar("A", bound=NetworkArgs)


def inherit_network(start: str | None, args: A) -> A:
    """Return the arguments with the network of a checkpoint, unless they ask for another one.

    Raises:
        AgentError: There is no such checkpoint.
    """
    if start is None or args.network_config != NetworkArgs().network_config:
        return args
    found = _agent_of(start).config["network"]
    if is_custom(found):
        arguments = json.dumps(found.get("arguments", {}))
        return replace(args, network=found["kind"], network_args=arguments)
    return replace(
        args,
        network=found["kind"],
        width=found["width"],
        policy_layers=tuple(found["policy"]),
        value_layers=tuple(found["value"]),
        card_dim=found["card_dim"],
    )


def load_warm_start(start: str, players: int, network: dict[str, Any]) -> PolicyAgent:
    """Return the agent of a checkpoint, for so many players and with such a network.

    Args:
        start: Its path, or the name of a shipped one; with or without ``policy:`` before it.
        players: Of the games to come. If it was trained for others, what it knows is carried over;
            see `impulse_agents.network.transfer`.
        network: Its description, see `impulse_agents.network.build`. If it is a larger one
            than the checkpoint's, that one grows; see `PolicyNetwork.widen`.

    Raises:
        AgentError: There is no such checkpoint, or it is for something else.
    """
    agent = _agent_of(start)
    wanted, found = (json.loads(json.dumps(one)) for one in (network, agent.config["network"]))
    if found != wanted and (is_custom(found) or is_custom(wanted) or not can_expand(found, wanted)):
        raise AgentError(
            f"{start} holds a network {found}; a training that begins with it has the same or a "
            f"larger one (width, policy, value), not {wanted}"
        )
    begun = agent.network
    if agent.config["players"] != players:
        if not isinstance(begun, PolicyNetwork):
            raise AgentError(
                f"{start} is for other players: only the project's own networks can be carried over"
            )
        known, begun = begun, build_own(players, found)
        transfer_players(begun, known)
    if wanted != found:
        assert isinstance(begun, PolicyNetwork)
        known, begun = begun, build_own(players, network)
        begun.widen(known)
    config = checkpoint_config(players, network, training=agent.config.get("training", {}))
    return PolicyAgent(begun, config, agent.name)


def _agent_of(start: str) -> PolicyAgent:
    agent = registry.make(start if start.startswith("policy:") else f"policy:{start}")
    assert isinstance(agent, PolicyAgent)
    return agent

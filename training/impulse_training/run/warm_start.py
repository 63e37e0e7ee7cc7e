"""Starts a training run from the weights of a checkpoint."""

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
    """Return the options with the network of a checkpoint, unless they describe another one.

    Raises:
        AgentError: The checkpoint does not exist.
    """
    if start is None or args.network_config != NetworkArgs().network_config:
        return args
    network = _agent_of(start).config["network"]
    if is_custom(network):
        arguments = json.dumps(network.get("arguments", {}))
        return replace(args, network=network["kind"], network_args=arguments)
    return replace(
        args,
        network=network["kind"],
        width=network["width"],
        policy_layers=tuple(network["policy"]),
        value_layers=tuple(network["value"]),
        card_dim=network["card_dim"],
    )


def load_warm_start(start: str, players: int, network: dict[str, Any]) -> PolicyAgent:
    """Return the agent of a checkpoint for a number of players and a network.

    Args:
        start: The checkpoint's path or shipped name, with or without the prefix ``policy:``.
        players: Players of a game. For another number of players than the checkpoint's, the weights
            are transferred; see `impulse_agents.network.transfer`.
        network: The network's description, see `impulse_agents.network.build`. For a larger
            network than the checkpoint's, the weights are widened; see `PolicyNetwork.widen`.

    Raises:
        AgentError: The checkpoint does not exist, or its network does not fit.
    """
    agent = _agent_of(start)
    target, source = (json.loads(json.dumps(one)) for one in (network, agent.config["network"]))
    is_any_custom = is_custom(source) or is_custom(target)
    if source != target and (is_any_custom or not can_expand(source, target)):
        raise AgentError(
            f"{start} has a network {source}; a warm start needs the same or a larger one (width, "
            f"policy, value), not {target}"
        )
    begun = agent.network
    if agent.config["players"] != players:
        if not isinstance(begun, PolicyNetwork):
            raise AgentError(
                f"{start} is for {agent.config['players']} players, not {players}, and a custom "
                "network cannot change its number of players"
            )
        known, begun = begun, build_own(players, source)
        transfer_players(begun, known)
    if target != source:
        assert isinstance(begun, PolicyNetwork)
        known, begun = begun, build_own(players, network)
        begun.widen(known)
    config = checkpoint_config(players, network, training=agent.config.get("training", {}))
    return PolicyAgent(begun, config, agent.name)


def _agent_of(start: str) -> PolicyAgent:
    agent = registry.make(start if start.startswith("policy:") else f"policy:{start}")
    assert isinstance(agent, PolicyAgent)
    return agent

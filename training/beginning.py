"""What a training begins with: the weights of a checkpoint."""

import json
from typing import Any

import agents
from agents.network import PolicyNetwork
from agents.policy import PolicyAgent, describe
from agents.transfer import take_over


def agent_to_begin_with(start: str, players: int, network: dict[str, Any]) -> PolicyAgent:
    """Return the agent of a checkpoint, for so many players.

    Args:
        start: Its path, or the name of a shipped one; with or without ``policy:`` before it.
        players: Of the games to come. If it was trained for others, what it knows is carried over;
            see `agents.transfer`.
        network: The arguments of `PolicyNetwork` but for `players` that it must have.

    Raises:
        AgentError: There is no such checkpoint, or it is for something else.
    """
    agent = agents.make(start if start.startswith("policy:") else f"policy:{start}")
    assert isinstance(agent, PolicyAgent)
    wanted, found = (json.loads(json.dumps(one)) for one in (network, agent.config["network"]))
    if found != wanted:
        raise agents.AgentError(f"{start} holds a network {found}; the training is of {wanted}")
    if agent.config["players"] == players:
        return agent
    adapted = PolicyNetwork(players, **network)
    try:
        take_over(adapted, agent.network)
    except ValueError as error:
        raise agents.AgentError(f"{start} is for other players: {error}") from error
    config = describe(players, network, training=agent.config.get("training", {}))
    return PolicyAgent(adapted, config, agent.name)

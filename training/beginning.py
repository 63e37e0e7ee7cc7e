"""What a training begins with: the weights of a checkpoint."""

import json
from typing import Any

import agents
from agents.policy import PolicyAgent


def agent_to_begin_with(start: str, players: int, network: dict[str, Any]) -> PolicyAgent:
    """Return the agent of a checkpoint.

    Args:
        start: Its path, or the name of a shipped one; with or without ``policy:`` before it.
        players: Who it must have been trained for.
        network: The arguments of `PolicyNetwork` but for `players` that it must have.

    Raises:
        AgentError: There is no such checkpoint, or it is for something else.
    """
    agent = agents.make(start if start.startswith("policy:") else f"policy:{start}")
    assert isinstance(agent, PolicyAgent)
    wanted = json.loads(json.dumps({"players": players, "network": network}))
    found = json.loads(json.dumps({name: agent.config[name] for name in wanted}))
    if found != wanted:
        raise agents.AgentError(f"{start} holds {found}; the training is of {wanted}")
    return agent

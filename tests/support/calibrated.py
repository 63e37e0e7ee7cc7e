"""Trained agents that say chances to win, without the games that it would take."""

from impulse_agents.calibration import Calibration
from impulse_agents.network.calibration import weights_digest

FITTED = {"slope": 2.0, "cubic": 0.25, "progress": 0.5, "bias": -0.25}


def calibrated(agent):
    """Return the agent, which says chances from now on, by made-up coefficients."""
    weights = weights_digest(agent.network.state_dict())
    agent.config["calibration"] = {"weights": weights, **FITTED}
    agent.calibration = Calibration(**FITTED)
    return agent

"""Trained agents that say chances to win, without the games that it would take."""

from impulse_agents.calibration import Calibration
from impulse_agents.network.weights_file import weights_digest
from impulse_training.evaluation.calibration.calibration_report import (
    CalibrationReport,
    Estimate,
    Forecast,
    ReliabilityBin,
)

FORECASTS = tuple(
    Forecast(name, Estimate(k, k - 0.01, k + 0.01), Estimate(0.1, 0.09, 0.11), Estimate(b, b, b))
    for name, k, b in (("calibrated value", 0.4, 0), ("knowing nothing", 0.69, 0.29))
)
REPORT = CalibrationReport(
    Calibration(2.0, 0.25, 1.5, -0.75),
    *(3, ("miner",), 100, 49, 50, 400, 0.525),
    FORECASTS,
    (ReliabilityBin("all", 0.5, 0.6, 400, 0.55, Estimate(0.56, 0.5, 0.6)),),
)
"""A report as cards tell it, made up as well."""
FITTED = {"slope": 2.0, "cubic": 0.25, "progress": 0.5, "bias": -0.25}


def calibrated(agent):
    """Return the agent, which says chances from now on, by made-up coefficients."""
    weights = weights_digest(agent.network.state_dict())
    agent.config["calibration"] = {"weights": weights, **FITTED}
    agent.calibration = Calibration(**FITTED)
    return agent

"""What a calibration is from and how good it is: a record, kept beside the agent."""

from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, Self

from impulse_agents.calibration import Calibration
from impulse_agents.network.agent import PolicyAgent

STAGES: Final = ("early", "middle", "late")
"""Thirds of the way to the target, by the points of whoever has most."""
ALL: Final = "all"
CALIBRATED: Final = "calibrated value"
NOTHING: Final = "knowing nothing"
RULES: Final = "rule-based evaluation"


class Estimate(NamedTuple):
    """A figure with its 95 % interval, from games drawn again.

    Attributes:
        mean: The figure.
        low: Lower end; None if the games do not show how far off the figure may be.
        high: Upper end, None likewise.
    """

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Forecast:
    """How good chances to win were, in games that they were not fitted to.

    Attributes:
        name: Whose chances.
        log_loss: Mean of minus the logarithm of what was given to what happened, in nats.
        brier: Mean squared difference from what happened.
        behind: By how much the log-loss is more than that of the calibrated value; of that one 0,
            without an interval.
    """

    name: str
    log_loss: Estimate
    brier: Estimate
    behind: Estimate


@dataclass(frozen=True)
class ReliabilityBin:
    """Positions of about the same chance, in games that it was not fitted to.

    Attributes:
        stage: One of `STAGES`, or `ALL`.
        start: The least chance, 0 to 1.
        end: The chance at which the next bin begins.
        positions: How many.
        expected: Their mean chance.
        won: The share of them whose side won. If it is all of them, or none, the interval is
            Wilson's, of as many games as the positions are of.
    """

    stage: str
    start: float
    end: float
    positions: int
    expected: float
    won: Estimate


@dataclass(frozen=True)
class CalibrationReport:
    """A calibration, the games that it is from, and how good it was in others.

    Attributes:
        calibration: The fitted model.
        seed: Of the games.
        opponents: Who played in them beside the agent.
        played: All games; in some of them nobody may have won.
        fitted_games: Those of the first half that somebody won; it was fitted to them.
        games: Those of the other half, which what follows is about.
        positions: Their decisions.
        won: Share of the positions fitted to whose side won: what one who knows nothing says.
        forecasts: `CALIBRATED`, `NOTHING` and `RULES`.
        bins: Where there are positions, of all stages together and of each.
    """

    calibration: Calibration
    seed: int
    opponents: tuple[str, ...]
    played: int
    fitted_games: int
    games: int
    positions: int
    won: float
    forecasts: tuple[Forecast, ...]
    bins: tuple[ReliabilityBin, ...]

    @classmethod
    def of(cls, agent: PolicyAgent) -> Self | None:
        """Return the report in an agent's config; None without one."""
        if agent.calibration is None or "report" not in agent.config["calibration"]:
            return None
        found = dict(agent.config["calibration"]["report"])
        forecasts = tuple(
            Forecast(one["name"], *(Estimate(*one[k]) for k in ("log_loss", "brier", "behind")))
            for one in found.pop("forecasts")
        )
        bins = tuple(
            ReliabilityBin(**{**one, "won": Estimate(*one["won"])}) for one in found.pop("bins")
        )
        opponents = tuple(found.pop("opponents"))
        return cls(agent.calibration, **found, opponents=opponents, forecasts=forecasts, bins=bins)

    @property
    def record(self) -> dict[str, Any]:
        """What is kept beside the agent, JSON-able: the calibration, then the rest of it."""
        report = asdict(self)
        return {**report.pop("calibration"), "report": report}

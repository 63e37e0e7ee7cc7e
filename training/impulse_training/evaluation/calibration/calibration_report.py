"""The report of a calibration: its games and its accuracy, stored with the agent."""

from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, Self

from impulse_agents.calibration import Calibration
from impulse_agents.network.agent import PolicyAgent

STAGES: Final = ("early", "middle", "late")
"""Thirds of the way to the target score, by the points of the leader."""
ALL: Final = "all"
CALIBRATED: Final = "calibrated value"
NOTHING: Final = "knowing nothing"
RULES: Final = "rule-based evaluation"


class Estimate(NamedTuple):
    """A figure with its 95 % interval, from resampled games.

    Attributes:
        mean: The figure.
        low: Lower end; None if the games set no limit.
        high: Upper end; None likewise.
    """

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Forecast:
    """The accuracy of chances to win, in games that they were not fitted to.

    Attributes:
        name: The source of the chances.
        log_loss: Mean negative logarithm of the chance given to the outcome, in nats.
        brier: Mean squared difference from the outcome, 0 to 1.
        behind: Log-loss minus that of the calibrated value, in nats; 0 without an interval for the
            calibrated value itself.
    """

    name: str
    log_loss: Estimate
    brier: Estimate
    behind: Estimate


@dataclass(frozen=True)
class ReliabilityBin:
    """Positions with about the same chance, in games that it was not fitted to.

    Attributes:
        stage: One of `STAGES`, or `ALL`.
        start: The lowest chance, 0 to 1.
        end: The chance at which the next bin begins.
        positions: Number of positions.
        expected: Their mean chance.
        won: The share of positions whose side won. If the share is 0 or 1, the interval is
            Wilson's for the number of games that the positions come from.
    """

    stage: str
    start: float
    end: float
    positions: int
    expected: float
    won: Estimate


@dataclass(frozen=True)
class CalibrationReport:
    """A calibration, the games that it was fitted to, and its accuracy in other games.

    Attributes:
        calibration: The fitted model.
        seed: Random seed of the games.
        opponents: The other agents in the games.
        played: Number of all games, including those without a winner.
        fitted_games: Games with a winner in the first half; the fit uses these.
        games: Games with a winner in the second half; the fields below describe these.
        positions: Number of decisions in `games`.
        won: Share of the fitted positions whose side won: the forecast `NOTHING`.
        forecasts: `CALIBRATED`, `NOTHING` and `RULES`.
        bins: The bins that hold positions, of all stages together and of each.
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
        """The JSON-able record stored with the agent: the calibration, then the report."""
        report = asdict(self)
        return {**report.pop("calibration"), "report": report}

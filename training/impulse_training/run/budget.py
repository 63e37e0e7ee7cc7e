"""The limits of a training run."""

from math import inf
from time import perf_counter

from impulse_training.run.common_options import ConfigError


class Budget:
    """A limit in minutes, in decisions, or both.

    Attributes:
        limit_s: Time limit in seconds; infinite without one.
        limit_steps: Limit in decisions of the learner; None without one.
        seconds: Training time so far in seconds, without evaluations.
        steps: Decisions of the learner so far.
        first_steps: Decisions of an earlier process, whose time does not count here.

    Args:
        minutes: Time limit in minutes, above 0.
        timesteps: Limit in decisions of the learner, above 0.

    Raises:
        ConfigError: Both limits are None, or one is not positive.
    """

    def __init__(self, minutes: float | None, timesteps: int | None) -> None:
        if minutes is None and timesteps is None:
            raise ConfigError("a training run needs a limit: minutes or timesteps")
        for name, value in (("minutes", minutes), ("timesteps", timesteps)):
            if value is not None and not value > 0:
                raise ConfigError(f"{name} must be more than 0, not {value}")
        self.limit_s = inf if minutes is None else 60 * minutes
        self.limit_steps = timesteps
        self.seconds = 0.0
        self.steps = self.first_steps = 0
        self._since: float | None = None

    def run(self, is_running: bool) -> None:
        """Start or stop the clock."""
        self.tick(self.steps)
        self._since = perf_counter() if is_running else None

    def tick(self, steps: int) -> None:
        """Update the time and the steps."""
        now = perf_counter()
        if self._since is not None:
            self.seconds += now - self._since
            self._since = now
        self.steps = steps

    def skip(self) -> None:
        """Ignore the time since the last `tick`, while the process was stopped."""
        if self._since is not None:
            self._since = perf_counter()

    @property
    def spent(self) -> float:
        """The spent share of the budget, from 0 to 1."""
        return min(1.0, max(self.seconds / self.limit_s, self.steps / (self.limit_steps or inf)))

    @property
    def steps_per_second(self) -> float:
        """Decisions per second so far."""
        return (self.steps - self.first_steps) / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float:
        """Estimated remaining seconds; infinite if the speed is still unknown."""
        pace, steps = self.steps_per_second, (self.limit_steps or inf) - self.steps
        return max(0.0, min(self.limit_s - self.seconds, steps / pace if pace else inf))

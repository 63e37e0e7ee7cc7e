"""How long a training goes on."""

from math import inf
from time import perf_counter

from impulse_training.run.common_options import ConfigError


class Budget:
    """Minutes, steps, or whichever ends first.

    Attributes:
        limit_s: Seconds that end the training; infinite if it does not end by the clock.
        limit_steps: Decisions that end the training, None if it does not end by them.
        seconds: Time spent training so far; evaluations do not count.
        steps: Decisions of the learner so far.
        first_steps: Those of them that no time was counted for, in an earlier process.

    Args:
        minutes: Ends the training, if given.
        timesteps: Ends the training, if given.

    Raises:
        ConfigError: Neither is given, or one is not positive.
    """

    def __init__(self, minutes: float | None, timesteps: int | None) -> None:
        if minutes is None and timesteps is None:
            raise ConfigError("a training needs a number of minutes or of timesteps")
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
        """Take note of the time and the steps."""
        now = perf_counter()
        if self._since is not None:
            self.seconds += now - self._since
            self._since = now
        self.steps = steps

    def skip(self) -> None:
        """Let the time since the latest `tick` not count: the process was stopped meanwhile."""
        if self._since is not None:
            self._since = perf_counter()

    @property
    def spent(self) -> float:
        """The share that is spent, at most 1."""
        return min(1.0, max(self.seconds / self.limit_s, self.steps / (self.limit_steps or inf)))

    @property
    def steps_per_second(self) -> float:
        """The pace so far."""
        return (self.steps - self.first_steps) / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float:
        """An estimate, at the pace so far; infinite where there is none yet."""
        pace, steps = self.steps_per_second, (self.limit_steps or inf) - self.steps
        return max(0.0, min(self.limit_s - self.seconds, steps / pace if pace else inf))

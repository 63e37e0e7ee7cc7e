"""Impulse as an environment of OpenEnv: tasks to play by text, on a server with many sessions.

`uvicorn server.app:app` serves it. The environment variable `IMPULSE_TASKS` names a file of
tasks; without it, they are those of the benchmark.
"""

import os
from functools import cache
from typing import Any

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from impulse_agents.tasks import Episode, Task, read_tasks, shipped_tasks

SESSIONS = int(os.environ.get("IMPULSE_SESSIONS", "64"))


class ImpulseAction(Action):
    """A reply: the thoughts of a model, and a last line with its actions."""

    text: str = Field(max_length=100_000)


class ImpulseObservation(Observation):
    """What the seat may know now, below a note on its last reply; the first has the rules."""

    text: str


class ImpulseState(State):
    """Public facts of the episode; nothing of the game, which has hidden cards."""

    task: str = ""
    refused: int = 0


@cache
def tasks() -> tuple[Task, ...]:
    """Return the tasks, read once for all sessions."""
    path = os.environ.get("IMPULSE_TASKS")
    return tuple(read_tasks(path) if path else shipped_tasks())


class ImpulseEnvironment(Environment[ImpulseAction, ImpulseObservation, ImpulseState]):
    """One session: one task at a time. The reward comes with the last observation."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._episode: Episode | None = None
        self._state = ImpulseState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task: str | None = None,
        **kwargs: Any,
    ) -> ImpulseObservation:
        """Begin the task of that name, or task number `seed`."""
        known = tasks()
        chosen = [one for one in known if one.id == task] if task else known
        if not chosen:
            raise ValueError(f"there is no task {task!r}")
        begun = chosen[(seed or 0) % len(chosen)]
        self._episode = Episode(begun)
        self._state = ImpulseState(episode_id=episode_id, task=begun.id)
        return self._seen(self._episode.instructions() + "\n")

    def step(
        self, action: ImpulseAction, timeout_s: float | None = None, **kwargs: Any
    ) -> ImpulseObservation:
        """Carry out a reply, or refuse it; the text says which."""
        if self._episode is None:
            raise ValueError("reset the environment first")
        self._episode.reply(action.text)
        self._state.step_count += 1
        self._state.refused = self._episode.refused
        return self._seen()

    def _seen(self, before: str = "") -> ImpulseObservation:
        episode = self._episode
        assert episode is not None
        done = episode.seat is None
        reward = episode.rewards[episode.task.seat] if done else None
        return ImpulseObservation(text=before + episode.prompt(), done=done, reward=reward)

    @property
    def state(self) -> ImpulseState:
        """The public facts."""
        return self._state


app = create_app(
    ImpulseEnvironment,
    ImpulseAction,
    ImpulseObservation,
    env_name="impulse",
    max_concurrent_envs=SESSIONS,
)


def main() -> None:
    """Serve on port 8000; `server` in pyproject.toml names this function."""
    import uvicorn

    uvicorn.run(app, host="0.0.0.0", port=8000)


if __name__ == "__main__":
    main()

"""Impulse as an environment of verifiers: tasks to play by text, with rewards that are verified.

`vf-eval impulse-verifiers` evaluates a model on the tasks of the benchmark, and
`--env.taskset.path FILE` on those of a file.
"""

from collections.abc import Iterator
from functools import cache

import verifiers.v1 as vf

from impulse_agents.tasks import Episode, Task, read_tasks, shipped_tasks


class ImpulseConfig(vf.TasksetConfig):
    """Which tasks.

    Attributes:
        path: A file of tasks; empty: those of the benchmark.
        lengths: Lengths of episodes; empty: all.
    """

    path: str = ""
    lengths: tuple[str, ...] = ()


class ImpulseData(vf.TaskData):
    """What goes into traces: the name of the task, not its game, which has hidden cards."""

    path: str


@cache
def tasks_of(path: str) -> dict[str, Task]:
    """Return the tasks of a file by name, read once."""
    return {task.id: task for task in (read_tasks(path) if path else shipped_tasks())}


class ImpulseTask(vf.Task[ImpulseData, vf.State, vf.TaskConfig]):
    """A task of a position, a seat and its opponents."""

    @property
    def key(self) -> str:
        """The task's own name."""
        return self.data.name or self.hash

    def begin(self) -> Episode:
        """Begin the task; every rollout of it has the same deal, opponents and luck."""
        return Episode(tasks_of(self.data.path)[self.key])

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Check that the game can be played, and that its digest is right."""
        return self.begin().seat == tasks_of(self.data.path)[self.key].seat


class ImpulseTaskset(vf.Taskset[ImpulseTask, ImpulseConfig]):
    """The tasks of a file."""

    def load(self) -> Iterator[ImpulseTask]:
        """Yield the tasks in the order of the file."""
        for task in tasks_of(self.config.path).values():
            if self.config.lengths and task.length not in self.config.lengths:
                continue
            episode = Episode(task)
            data = ImpulseData(
                name=task.id,
                system_prompt=episode.instructions(),
                prompt=episode.prompt(),
                path=self.config.path,
            )
            yield ImpulseTask(data, self.config.task)


class ImpulseEnvConfig(vf.EnvConfig):
    """The roles: one player, a plain conversation without tools."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"})


class ImpulseEnv(vf.Env[ImpulseEnvConfig]):
    """Plays a task: each reply of the player is carried out or refused, and answered by a view."""

    async def run(self, task: ImpulseTask, agents: vf.Agents) -> None:
        """Play to the end; a player whose conversation ends before that forfeits."""
        episode = task.begin()
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                episode.reply(segment.last_reply)
                if episode.seat is None:
                    break
                segment = await interaction.turn(episode.prompt())
        while episode.seat is not None:
            episode.reply("")
        trace = interaction.trace
        trace.record_reward("impulse", episode.rewards[episode.task.seat], 1.0)
        trace.record_metric("refused", float(episode.refused))
        trace.record_metric("forfeited", float(episode.forfeited is not None))


__all__ = ["ImpulseEnv", "ImpulseEnvConfig", "ImpulseTaskset"]

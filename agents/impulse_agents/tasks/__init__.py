"""Tasks for language models: positions to play, with rewards that can be verified.

task       a task, and files of tasks
lines      the lines of a decision, and the chance to win after each
episode    a task played by text
"""

from impulse_agents.tasks.episode import Episode
from impulse_agents.tasks.task import LENGTHS, Task, TaskError, read_tasks, shipped_tasks

__all__ = ["LENGTHS", "Episode", "Task", "TaskError", "read_tasks", "shipped_tasks"]

"""Processes in which agents think, and the questions that they answer.

pool          a few processes with time limits
agent_tasks   decisions and hints at a table
branch_tasks  evaluation and continuation of a branch of a recorded game
replay_tasks  the page of a finished game, with a note beside each decision
"""

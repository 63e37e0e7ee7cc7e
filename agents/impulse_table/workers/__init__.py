"""Processes in which agents think, and what they are asked there.

pool          a few processes with time limits
agent_tasks   what an agent decides or suggests at a table
branch_tasks  what it makes of a branch of a recorded game
replay_tasks  what makes the page of a finished game, with a note beside each decision
"""

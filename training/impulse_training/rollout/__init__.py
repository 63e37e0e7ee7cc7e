"""Matches between agents, with results and records.

match          plays agents against each other, with rotated seats and fixed seeds
evaluator      rates an agent in training against fixed opponents
record_games   records games between agents
faults         reports the failures of agents
"""

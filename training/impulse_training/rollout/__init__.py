"""Matches, and games as records and results.

match          agents against each other, seats rotated, seeds fixed
evaluator      matches with a fixed panel, by which a training is measured
record_games   such games as records
faults         what agents did wrong in them
"""

"""Matches, and games as records and results.

adjusted       shares with the luck taken out
match          agents against each other, seats rotated, seeds fixed
record_games   such games as records
faults         what agents did wrong in them
game_result    a finished game as a line
intervals      confidence intervals of win rates
"""

"""Games played side by side, one batched call for each agent.

runner         the loop: each agent is asked for all its games at once
continuations  positions played on to their ends, or until a turn begins
interventions  the same position with another card in a hand
match          agents against each other, seats rotated, seeds fixed
evaluator      matches with a fixed panel, by which a training is measured
record_games   such games as records
faults         what agents did wrong in them
"""

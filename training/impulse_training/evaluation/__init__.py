"""Measuring a trained agent: against a fixed suite, during training, and on its model card.

config          the options
suite           against whom, and what is expected
evaluate        plays those games
results         what they showed, as a file and a table
decision_speed  how fast an agent decides
model_card      the page on a checkpoint
evaluator       the measure of a training while it goes on
"""

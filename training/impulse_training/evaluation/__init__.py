"""Measuring a trained agent: against a fixed suite, during training, and on its model card.

config              the options
match               the command `impulse match`, and what a match settles
suite               against whom, and what is expected
evaluate            plays those games
results             what they showed, as a file and a table
positions           decisions of finished games, with who won
calibration         what its value means: fitted to games, tried on others
calibration_report  a record of that, kept in the checkpoint
reliability         how good that is: a table, a section of the card, a picture
calibrate           the command that does so
fit_luck            how much of the luck that it sees to take out of results
front_matter        the head of its card, which the Hugging Face Hub reads
weaknesses          where it gives its chances away, found in games
weaknesses_report   that as a table, and as a section of its card
model_card          the page on a checkpoint
card_training       what it says of the training
evaluator           the measure of a training while it goes on
"""

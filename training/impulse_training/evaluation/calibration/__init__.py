"""What values mean, fitted to games and tried on others.

calibrate           finds out which chance to win an agent's value stands for
positions           decisions of finished games, with who won
fitting             the fit, and how good its chances are beside others
calibration_report  a record of that, kept in the checkpoint
reliability         that as a table, a section of the card, a picture
fit_luck            how much of the luck that a judge sees to take out of results
fit_evaluation      the coefficients of the evaluation function of the rule-based agents
"""

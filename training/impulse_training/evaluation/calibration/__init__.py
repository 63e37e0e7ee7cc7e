"""Fits chances to win and luck weights to games, and tests them on other games.

calibrate           maps an agent's value to its chance to win
positions           decisions of finished games, with the winners
fitting             the fit, and a comparison of its chances with other forecasts
calibration_report  the report of a calibration, stored in the checkpoint
reliability         the report as a table, a section of the model card, a picture
fit_luck            the weights of the luck adjustment (AIVAT)
fit_evaluation      the coefficients of the evaluation function of the rule-based agents
"""

"""The command `impulse bench` and its subcommands.

bench     measures the environment's speed
agents    measures how fast the agents decide
training  measures the share of training time that games take
"""

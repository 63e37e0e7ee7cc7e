"""The command `impulse bench` and those below it.

bench     measures the environment's speed
agents    measures how fast the agents decide
training  measures what the games cost a training
"""

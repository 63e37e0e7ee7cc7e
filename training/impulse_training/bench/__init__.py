"""Benchmarks: each figure beside the one that it is compared with.

bench_options  the options
environment    speed, memory and compilation of the environment
first_step     how long it takes to a first step: cold, warm, with a wheel
batched        the speed of the environments of many games
peers          the speed of other environments
training       what the games cost a training
agents         how fast the agents decide
forward        how fast a trained network computes
complexity     what makes the game hard, in figures: length, choices, hidden cards
soak           random games of all settings, every record checked
"""

"""Benchmarks, with comparisons.

bench_options  the options
environment    speed, memory and compilation of the environment
first_step     the time to a first step: cold, warm, with a wheel
batched        the speed of batched environments
gpu            the speed of games on a GPU
c_program      the speed of a program in C
peers          the speed of other environments
training       the share of training time spent in games
agents         how fast the agents decide
forward        how fast a trained network computes
complexity     the complexity of the game in figures: length, choices, hidden cards
soak           random games with all options, every record checked
"""

"""The game as PettingZoo and Gymnasium environments.

aec           PettingZoo: every seat is an agent
single_seat   Gymnasium: one seat learns, opponents play the others
opponents     those opponents, by name or as functions
spaces        observation and action spaces
rewards       what seats are paid, as arrays
registration  the names under which both libraries find them
"""

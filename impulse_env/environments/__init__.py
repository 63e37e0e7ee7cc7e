"""The game as PettingZoo and Gymnasium environments, and as a game of OpenSpiel.

aec           PettingZoo: every seat is an agent
turns         its loop over the agents to act
single_seat   Gymnasium: one seat learns, opponents play the others
vector        Gymnasium: the same for many games, stepped in one call
pufferlib     PufferLib: the same over its buffers
self_play     many games for one learner on every seat, and whose return is whose
opponents     those opponents, by name or as functions
batched_opponents  how they decide in many games in one call
checks       what they are given is checked, and illegal actions warned of
spaces        observation and action spaces
outcome_arrays  what the info tells of many games that ended
rewards       what seats are paid, as arrays
openspiel     ``python_impulse``, where OpenSpiel is installed
registration  the names under which PettingZoo and Gymnasium find them
"""

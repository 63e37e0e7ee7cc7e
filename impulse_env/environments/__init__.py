"""The game as PettingZoo and Gymnasium environments, and as a game of OpenSpiel.

aec                PettingZoo: every seat is an agent
turns              the loop over the agents to act
single_seat        Gymnasium: one seat learns, opponents play the others
vector             Gymnasium: the same for many games, stepped in one call
pufferlib          PufferLib: the same with PufferLib's buffers
self_play          many games for one learner on every seat, and the advantages of each seat
opponents          opponents on the other seats, by name or as functions
batched_opponents  opponents that decide in many games in one call
checks             checks of arguments, and the warning about illegal actions
spaces             observation and action spaces
outcome_arrays     the outcomes of many finished games, for the info
rewards            rewards of seats, as arrays
openspiel          ``python_impulse``, if OpenSpiel is installed
registration       the names under which PettingZoo and Gymnasium find the environments
"""

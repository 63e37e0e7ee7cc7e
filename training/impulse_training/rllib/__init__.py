"""Training by self-play with RLlib, on one machine or on a Ray cluster.

rllib_options  the options
train          the training, from its options to its result
env            the game as a `MultiAgentEnv`
module         the network as an `RLModule`
opponents      who plays the other seats
algorithm      PPO for all that
checkpoint     RLlib's checkpoints, whole and checked
cluster        the Ray cluster on which it runs
"""

"""Training by self-play with RLlib, on one machine or on a Ray cluster.

rllib_options  the options
train          the training, from its options to its result
env            the game as a `MultiAgentEnv`
module         the network as an `RLModule`
opponents      the modules that play the other seats
algorithm      PPO with this environment and these modules
checkpoint     RLlib's checkpoints, written atomically and checked
cluster        the Ray cluster on which it runs
"""

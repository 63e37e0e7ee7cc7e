"""Training by self-play with Stable-Baselines3.

config           the options
train            the training, from its options to its result
vec_env          the games as a `VecEnv`
batched_vec_env  the base of that: all games step in one call
opponent_pool    who sits on the other seats
ppo              the network as a policy of `MaskablePPO`
callback         evaluations, snapshots and saves on the way
progress_bar     how far it is, in the terminal
checkpoint       a training on disk, resumable to the bit
"""

"""Training by self-play with Stable-Baselines3.

train_options   the options
option_checks   options that cannot work
train           the training, from its options to its result
ppo             the network as a policy of `MaskablePPO`
rollout_buffer  what the policy's seats decided, and what came of it
value_only      leaves the policy as it is, and lets the value learn
callback        evaluations, snapshots and saves on the way
environment/    games of the policy against a pool of opponents
state/          what a training needs to go on to the bit
progress/       how far it is, in the terminal and for trackers
"""

"""Training by self-play with PPO: train → rollout → advantages → update → checkpoint.

Read the modules in this order:

train_options  the options
option_checks  refuses options that cannot work
train          a training run, from its options to its result
loop           rounds, and in between evaluations, snapshots and saves
rounds         a round: a rollout with its advantages, and an update
learner        the network that learns
critic         critics that see all hands, for training alone
rollout        the decisions of a rollout, as tensors
advantages     generalised advantage estimation along the decisions of each seat
update         PPO's loss and the optimizer's steps

The loop uses these folders, of which it needs no more than their first docstrings:

environment/   games of the policy against a pool of opponents, on the host or a device
state/         the folder of a run and its state, from which it resumes bit for bit
progress/      progress in the terminal, metrics for trackers

The clock, the learning rate, several processes and Ctrl-C are in `impulse_training.run`.
"""

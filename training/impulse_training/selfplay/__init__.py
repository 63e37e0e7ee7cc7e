"""Training by self-play with PPO.

train_options  the options
option_checks  checks the options
train          a training run, from its options to its result
loop           rounds, and in between evaluations, snapshots and saves
rounds         a round: a rollout with its advantages, and an update
learner        the network that learns
critic         critics that see all hands, for training alone
rollout        the decisions of a rollout
advantages     generalised advantage estimation along the decisions of each seat
update         PPO's loss and the optimizer's steps
group          several processes that learn with one gradient
value_only     freezes the policy and trains the value head
environment/   games of the policy against a pool of opponents
state/         the training state, from which a run resumes bit for bit
progress/      progress in the terminal, metrics for trackers
"""

"""Training by self-play with Stable-Baselines3.

train_options   the options
option_checks   checks the options
train           a training run, from its options to its result
ppo             the network as a policy of `MaskablePPO`
rollout_buffer  rollouts with advantages per seat
value_only      freezes the policy and trains the value head
callback        evaluations, snapshots and saves during a run
environment/    games of the policy against a pool of opponents
state/          the training state, from which a run resumes bit for bit
progress/       progress in the terminal, metrics for trackers
"""

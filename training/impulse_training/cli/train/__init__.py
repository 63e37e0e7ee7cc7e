"""The command `impulse train` and its subcommands.

train           trains by self-play, with options or from a recipe
sb3             trains a baseline with Stable-Baselines3
rllib           trains by self-play with RLlib
imitate         trains a network to imitate a teacher
distill         distills a trained agent into another network
best_response   trains a best response to an agent
ablation        compares how fast networks learn
fit_evaluation  fits the evaluation function of the rule-based agents
"""

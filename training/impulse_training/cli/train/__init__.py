"""The command `impulse train` and those below it.

train           self-play as the options say, or the legs of a recipe
rllib           self-play with RLlib
imitate         fits a network to what a teacher does
distill         fits a network to what a trained agent plays
best_response   trains a best response to an agent
ablation        which network learns faster
fit_evaluation  fits the evaluation function of the rule-based agents
"""

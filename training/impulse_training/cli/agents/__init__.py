"""The command `impulse agents` and its subcommands.

agents         lists the agents with their strength and speed
standings      shows the ratings, or rates agents by games
calibrate      fits the map from an agent's values to win probabilities
fit_luck       fits the weights of the luck adjustment (AIVAT)
weaknesses     finds decisions that cost a trained agent games
search_trials  tests whether other settings make a search stronger
migrate        adapts a trained agent to a changed observation
model_card     writes a trained agent's model card
"""

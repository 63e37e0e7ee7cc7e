"""The command `impulse agents` and those below it.

agents         lists the agents with their strength and speed
standings      places agents by games, and shows how strong all are
calibrate      which chance to win an agent's value stands for
fit_luck       how much of the luck that a judge sees to take out of results
weaknesses     where a trained agent gives its chances away
search_trials  which settings make a search stronger
migrate        carries a trained agent over a change of the observation
model_card     writes a trained agent's card
"""

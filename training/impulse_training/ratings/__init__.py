"""How strong the agents are: Elo ratings by maximum likelihood, and what results add up to."""

"""Rule-based agents, compiled: they score every legal action and play the best one.

styles         the weights of each style of play
place_value    values of ships at a place, and of moving a fleet there
card_value     values of using a card now
action_scores  the score of every legal action of a decision
evaluation     the chance to win of each side in a position
agent          the agents of the styles
random_agent   the agent that plays a random legal action

All functions use only what the deciding seat may know: a seat's view is enough.
"""

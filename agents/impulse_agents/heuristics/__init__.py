"""Rule-based agents, compiled: every legal action gets a score, the highest is played.

styles         what each style likes: a row of weights
place_value    what ships are worth at a place, and what moving a fleet there brings
card_value     what using a card brings now
action_scores  the score of every legal action of a decision
evaluation     how a whole position stands for each side
agent          the agents of those styles
random_agent   the agent that plays anything legal

Nothing here reads what the deciding seat may not know: a seat's view is enough.
"""

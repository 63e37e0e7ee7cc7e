"""Rule-based agents, compiled: every legal action gets a score, the highest is played.

styles.py    what each style likes: a row of weights
places.py    what ships are worth at a place, and what moving a fleet there brings
cards.py     what using a card brings now
options.py   the score of every legal action of a decision
standing.py  how a whole position stands for each side
outlook.py   one step ahead: the position after each action
agent.py     the agents

Nothing here reads what the deciding seat may not know: a seat's view is enough.
"""

"""A game in English and as text.

describe  what a decision asks, what an action means
events    what happened between two decisions
board     the table drawn with letters
color     colours of a terminal
"""

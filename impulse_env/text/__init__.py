"""A game in English and as text.

describe  prompts of decisions and meanings of actions
events    events between two decisions
board     the table drawn with letters
color     colours for a terminal
"""

"""The commands `impulse games …`: record and examine games.

record      plays games between agents and saves a record of each
explore     shows which openings were played, and who won
analyse     shows the lines that a search considers at a decision
annotate    adds agents' evaluations of the decisions to a record
complexity  measures the game's complexity
"""

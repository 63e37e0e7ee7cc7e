"""The commands `impulse games …`: record and examine games.

record      writes records of games between agents
explore     which openings were played, and who won
analyse     what a search finds at a decision
annotate    what agents think of the decisions of a record
complexity  what makes the game hard, in figures
"""

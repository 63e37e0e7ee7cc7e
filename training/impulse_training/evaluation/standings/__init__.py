"""The standings: every agent at every kind of table, rated by the same games against one panel.

protocol  the opponents, the deals, and the rated agents of the project
place     plays an agent's games, rates it, times it
rows      the rows of the project and of a file
table     the standings as one table
picture   strength against milliseconds
"""

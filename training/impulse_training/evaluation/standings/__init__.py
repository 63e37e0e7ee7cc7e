"""The standing table: every agent at every kind of table, by the same games against the same panel.

protocol  against whom, on which deals, and which agents of the project
place     plays an agent's games, rates it, times it
rows      the rows of the project, and those of a file
table     all of it as one table
picture   strength against milliseconds
"""

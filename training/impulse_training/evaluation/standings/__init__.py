"""The standing table: every agent at every kind of table, by the same games against the same panel.

protocol           against whom, on which deals, and which agents of the project
place              plays an agent's games, rates it, times it
table              all of it as one table
picture            strength against milliseconds
standings          `impulse agents standings`
standings_options  its options
"""

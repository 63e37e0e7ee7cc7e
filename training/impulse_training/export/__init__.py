"""Exports games as pictures, text, pages, tables, and data sets.

export_options   the options
one_game         a game as a picture, text, a position or a page
tables           games as CSV tables
data             games as data: Parquet files or a Minari dataset
annotated_games  games of agents with their probabilities at each decision
write            parts on disk; a stopped export can continue
data_card        the data card: source and content of the data
"""

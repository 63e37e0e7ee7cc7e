"""Games turned into something else: pictures, text, pages, tables, and data to share.

export_options  the options
one_game        a game as a picture, text, a position or a page
tables          games as CSV tables
data            games as data: Parquet files or a Minari dataset
told            games of agents with what they say of each decision
write           parts on disk; what was stopped goes on where it was
data_card       the page beside them: how they were made, what is in them
"""

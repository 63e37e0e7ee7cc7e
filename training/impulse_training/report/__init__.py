"""Tables, plots and pages of results.

page                the report: tables in the terminal, files, and a page
tournament_tables   statistics as tables
table               a table of text
printing            tables in the terminal and in Markdown
notable             the most interesting games
replays             replay pages of games, with an optional analysis
plots               the figures
explore/            the openings played, with their results
replay_choice       the games that get replay pages
"""

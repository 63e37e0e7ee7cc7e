"""Tables, plots and pages of results.

tournament          ``impulse tournament``: plays what is missing, then reports
page                the report: tables in the terminal, files, and a page
tournament_tables   statistics as tables
table               a table of text
printing            tables in the terminal and in Markdown
notable             the games that are worth a look
replays             pages of games, analysed if wanted
plots               the pictures
explore/            which openings were played, and who won
tournament_options  the options of tournaments and reports
"""

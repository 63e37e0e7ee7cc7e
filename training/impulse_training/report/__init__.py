"""Tables, plots and pages of results.

page                the report: tables in the terminal, files, and a page
tournament_tables   statistics as tables
table               a table of text
printing            tables in the terminal and in Markdown
notable             the games that are worth a look
replays             pages of games, analysed if wanted
plots               the pictures
explore/            which openings were played, and who won
replay_choice       of which games there are pages
"""

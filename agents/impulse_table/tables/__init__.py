"""A table and its data, and tables on disk; without pages and agents.

table          one game, and the players of its seats
journal        the events of the game, for each viewer
protocol       the messages of a page, checked
takeback       choices that can be undone
agreement      proposals to which all persons must agree
help           why a choice is not possible, and the rules of a card
store          tables on disk
daily_deal     today's deal, and a first game
ending         the summary of a finished game
mistakes       costly decisions of finished games as puzzles, and a profile
mistake_files  these on disk
"""

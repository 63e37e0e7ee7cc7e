"""What a table is, and tables on disk; it knows of no page and asks no agent.

table       one game and who sits at it
journal     what has happened, for each viewer
protocol    what a page may say, checked
takeback    choices that can be undone, and who has to agree
help        why something cannot be chosen, and the rules of a card
store       tables on disk
daily_deal  today's deal, and a first game
ending      how a finished game went
"""

"""What a table is, and tables on disk; it knows of no page and asks no agent.

table          one game and who sits at it
journal        what has happened, for each viewer
protocol       what a page may say, checked
taking_back    choices that can be undone, and who has to agree
past           what one person among agents can go back to
illegal_moves  why something cannot be chosen
card_help      the rules of a card
store          tables on disk
occasions      today's deal, and a first game
ending         how a finished game went
"""

"""A table with people and agents around it, without a web server.

table          one game and who sits at it
presence       which persons are away, and for whom an agent plays
journal        what has happened, for each viewer
store          tables on disk
survey         which of them cannot be played on
protocol       what a page may say, checked
client         a page, and what is new to it
client_view    a table as JSON for one viewer, nothing hidden in it
taking_back    choices that can be undone, and who has to agree
past           what one person among agents can go back to
illegal_moves  why something cannot be chosen
card_help      the rules of a card
agent_turns    agents decide, until a person is to
session        a table with its pages and agents
open_tables    the sessions, each read from disk once
listing        the tables that everybody on the server is told of
occasions      today's deal, and a first game
ending         how a finished game went
replays        the pages of finished games, with what a search thinks of them
"""

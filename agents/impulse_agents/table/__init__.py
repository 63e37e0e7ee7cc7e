"""A table with people and agents around it, without a web server.

table          one game and who sits at it
journal        what has happened, for each viewer
store          tables on disk
protocol       what a page may say, checked
client         a page, and what is new to it
client_view    a table as JSON for one viewer, nothing hidden in it
illegal_moves  why something cannot be chosen
card_help      the rules of a card
session        a table with its pages and agents
"""

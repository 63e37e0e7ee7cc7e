"""A table to play Impulse at, against agents or people.

terminal   one game in the terminal
web/       the table in the browser
sessions/  tables that are being played at, with their pages and agents
tables/    what a table is, and tables on disk
workers/   processes in which agents think
levels     how strong an opponent is to be, in a word
"""

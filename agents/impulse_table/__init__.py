"""A table to play Impulse at, against agents or people.

terminal   one game in the terminal
web/       the table in the browser
mcp/       a game for clients of the Model Context Protocol
sessions/  open tables, with their pages and agents
tables/    a table and its data, and tables on disk
workers/   processes in which agents think
levels     named levels of opponents
"""

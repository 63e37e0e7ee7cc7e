"""Tables that are being played at, with the pages and agents around them, without a web server.

session        a table with its pages and agents
presence       which persons are away, and for whom an agent plays
client         a page, and what is new to it
client_view    a table as JSON for one viewer, nothing hidden in it
agent_turns    agents decide, until a person is to
open_tables    the sessions, each read from disk once
listing        the tables that everybody on the server is told of
startup_check  tables on disk that cannot be played on
replays        the pages of finished games, with what a search thinks of them
"""

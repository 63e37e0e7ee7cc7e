"""Open tables with their pages and agents, without a web server.

session        a table with its pages and agents
presence       persons who are away, and the agents that play for them
leaving        an agent plays for a person, resignation, an end by agreement
clock          the time of persons for a turn and for the game
chat           lines among the persons, only in memory
client         a page, and the news for it
client_view    a table as JSON for one viewer, without hidden information
agent_turns    agents decide, until a person must
open_tables    the sessions, each read from disk once
listing        the public tables of the server
startup_check  tables on disk that are damaged, or whose agents are missing
replays        the pages of finished games, with their analysis
"""

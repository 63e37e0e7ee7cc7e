"""The table in the browser: ``python -m impulse_agents.web``, or ``make play``.

protocol.py   what a page may say, checked
table.py      one game and who sits at it; journal.py: what happened, for each pair of eyes
store.py      tables on disk
shown.py      what a page is shown; refusals.py: why something cannot be chosen
workers.py   processes for agents; thinking.py: what they are asked
room.py       a table with its pages and agents
server.py     HTTP and WebSockets; guard.py: who may talk to them
static/       the pages
"""

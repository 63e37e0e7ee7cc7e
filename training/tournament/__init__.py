"""Tournaments: agents play each other, and what comes out of it is measured.

settings.py    what determines a tournament's games
schedule.py    which agents sit where on which deal
play.py        plays scheduled games side by side
result.py      a finished game as a line of a file
store.py       the folder: settings.json and games.jsonl
local.py       plays in processes of this machine
cluster.py     plays on a Ray cluster
run.py         from the settings to the last game
replay.py      plays a game again from its line
tally.py       results as arrays
likelihood.py  how likely strengths make the results
ratings.py     the strengths, with intervals
statistics.py  everything else that is counted
tables.py      the tables as text
plots.py       the plots
report.py      prints the tables, writes the files and the page
"""

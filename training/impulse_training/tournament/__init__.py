"""Tournaments: agents play each other, and what comes out of it is measured.

settings.py    what determines the games
schedule.py    which agents sit where on which deal
play.py        plays scheduled games side by side
local.py       the same in several processes of this machine
cluster.py     the same on the machines of a Ray cluster
result.py      a finished game as a line of a file
store.py       the folder in which finished games are kept
run.py         plays what the folder does not hold yet
replay.py      tells a finished game again
ratings.py     how strong the agents are, from likelihood.py
statistics.py  what the results add up to, from tally.py
trust.py       what the ratings foretell, the luck of the deal, how many games it takes
report.py      the tables and the page, from tables.py, printing.py and plots.py
"""

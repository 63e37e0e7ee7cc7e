"""Tournaments: agents play each other, and what comes out of it is measured.

settings            what determines the games
schedule            which agents sit where on which deal
workers/            play scheduled games in processes of this machine, or on a cluster
growth              what a tournament in a folder can grow into
store               the folder in which finished games are kept
sorting             puts games aside whose agents have changed, and numbers the others
run                 plays what the folder does not hold yet
luck                what chance gave the sides of its games
replay              tells a finished game again
games_for_analysis  its games for `impulse_env.analysis`
"""

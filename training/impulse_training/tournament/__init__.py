"""Tournaments: every line-up of agents on every deal.

settings            the settings that determine the games
schedule            the deal and the seating of every game
workers/            processes on this machine or a cluster that play scheduled games
growth              checks whether a tournament extends the one in a folder
store               the folder of finished games
sorting             sets the games of changed agents aside, and numbers the others
run                 plays the missing games
luck                the luck adjustment of the games
replay              a finished game as text or as a record
games_for_analysis  the games for `impulse_env.analysis`
"""

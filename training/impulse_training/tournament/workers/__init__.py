"""Processes that play the games of a tournament.

play         plays scheduled games side by side in one process
local        does so in several processes of this machine
ray          does so on the machines of a Ray cluster
same_agents  agents in other processes, which are the same or do not play
"""

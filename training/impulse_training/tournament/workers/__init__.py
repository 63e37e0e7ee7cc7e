"""Processes that play the games of a tournament.

play         plays scheduled games simultaneously in one process
local        plays them in several processes of this machine
ray          plays them on the machines of a Ray cluster
same_agents  checks that agents in other processes are the same
"""

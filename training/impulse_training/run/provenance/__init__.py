"""Where a checkpoint came from.

process   with what a process trains: command, versions, commit, machine
checkout  whether this is a checkout or an install
"""

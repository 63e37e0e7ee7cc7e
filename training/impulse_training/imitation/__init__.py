"""Behaviour cloning: demonstrations of a teacher, and a network fitted to them.

config            the options
demonstrations    what a teacher decides in games of its own
shards            those on disk
exported          those in data that `impulse export` wrote
shard_check       one of these read, its arrays checked first
behavior_cloning  fits a network to them
"""

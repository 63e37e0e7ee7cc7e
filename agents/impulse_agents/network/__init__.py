"""The network of the trained agents: its kinds, checkpoints, growth and transfer.

kinds           the kinds of network by name, for those without torch
policy_network  the kind "pointers": built, computed, packed for compiled code, widened
map_network     the kind "map": that, and the map as a graph, whose places tell each other what
                they are
features        an observation as one dense layer, for all kinds
compiled        the forward pass in compiled code, a row at a time
compiled_map    the map in it
build           networks by name, those of other authors too
transfer        weights for another number of players, or for another observation
weights_file    named arrays and a text in a file of safetensors, which holds no code
config_check    what a checkpoint says of itself: names, types and ranges
checkpoint      the file of its weights
agent           the agent that plays what the network says, and what its value means
"""

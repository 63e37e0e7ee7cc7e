"""The networks of the trained agents: kinds, checkpoints, growth and transfer.

policy_network  the kind "pointers": construction, forward pass, packing, widening
map_network     the kind "map": the same with the map as a graph, whose places exchange messages
features        an observation as one dense layer, for all kinds
compiled        the forward pass in compiled code, one row at a time
compiled_map    the map in compiled code
build           networks by name, including those of other authors
transfer        weights for another number of players, or another observation
weights_file    named arrays and a text in a safetensors file, which contains no code
config_check    names and limits of networks, and the check of a checkpoint's config; no torch
checkpoint      the file of a network's weights
agent           the agent that plays by a network, and the calibration of its values
"""

"""The network of the trained agents: features, heads, checkpoints, growth and transfer.

kinds             the kinds of network by name, for those without torch
features          an observation as one dense layer of features
heads             logits of cards and places from what they are
map_encoder       the map as a graph, whose places tell each other what they are
policy_network    the network: features, policy and value
masking           logits without the illegal actions
inference         the same network with all precomputed that needs no observation
compiled          the same network in compiled code, a row at a time
compiled_map      the map in it
compiled_layers   its dense layers
compiled_weights  its weights as arrays
packing           makes them of a network's weights
map_packing       and those of the map
row_threads       many rows through that, in threads
build             networks by name, those of other authors too
weights_file      named arrays and a text in a file of safetensors, which holds no code
config_check      what a checkpoint says of itself: names, types and ranges
checkpoint        the file of its weights
calibration       from its value to the chance to win
agent             the agent that plays what the network says
net2net           a wider or deeper network that computes the same at first
player_transfer   the weights for another number of players
"""

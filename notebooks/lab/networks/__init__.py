"""What a trained network learned, measured on its layers and its inputs.

linear_probes           concepts that a linear probe reads from the layers of a network
permutation_importance  observations with one part taken from other positions
plain_networks          smaller networks, as baselines for ablations
hand_reading            how much of the other hand a position and a memory tell
memory_play             strength with and without a memory of events in the observation
network_tables          these measurements for several networks, as tables
network_plots           the tables as plots
"""

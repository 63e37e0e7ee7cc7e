"""The network of the trained agents: features, heads, checkpoints, growth and transfer."""

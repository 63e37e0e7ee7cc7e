"""Training by self-play with RLlib, on one machine or on a Ray cluster."""

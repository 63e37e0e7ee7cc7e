"""Behaviour cloning: demonstrations of a teacher, and a network fitted to them."""

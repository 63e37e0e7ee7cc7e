"""Experiments on the game itself: the same games again with one thing changed.

played_on     plays positions on to their ends, all side by side
swapping      the same position with another card in a hand
forbidding    agents that may not take points from one source
"""

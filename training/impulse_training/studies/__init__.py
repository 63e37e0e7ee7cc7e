"""Experiments on the game itself: the same games again with one thing changed.

played_on     plays positions on to their ends, all side by side
swapping      the same position with another card in a hand
forbidding    agents that may not take points from one source
turn_order    the same deals, begun by each seat in turn
home_cards    every card that a player may lay on its home
giving        the same position with one more card, ship or point
turn_costs    one turn of somebody else's
"""

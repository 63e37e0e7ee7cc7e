"""Experiments on the game itself: the same games again with one thing changed.

played_on     plays positions on to their ends, all side by side
swapping      the same position with another card in a hand
replacing     the same position with another Tech, planned card or race
card_values   the same position with every card, played on for some turns
card_beliefs  which cards the rules of thumb prefer
factor_effects  what the levels of a factor are worth, over deals that share them
pursuing      which actions go after points from a source
forbidding    games in which some seats may not have points from some sources
point_tables  such games as tables: won, rounds, points by source
turn_order    the same deals, begun by each seat in turn
home_cards    every card that a player may lay on its home
giving        the same position with one more card, ship or point
turn_costs    one turn of somebody else's
carelessness  agents that take some kinds of decision at random
asking        agents that leave some kinds of decision to another
sampling      decisions of fresh games, with how the games ended
concepts      what a player would name in a position
probing       what can be read off from a layer of a network
permuting     observations with a part of other positions in them
disagreement  where a search chooses otherwise, and who is right
network_tables  the answers of these on some networks, as tables
openings      the first choices of a game, and every alternative played on
styles        what agents do, and whether that forms groups
ladder        whether agents beat each other in circles
pricing       what decisions cost, against what a strong agent would do
habits        what is done again and again, in general words
"""

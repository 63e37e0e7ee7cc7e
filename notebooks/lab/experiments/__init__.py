"""Experiments on the game: positions with one change, played to the end in many worlds.

interventions           positions with one change: a gift, a Tech, a race, another agent
card_values             the value of each card, by playouts and by the rules of thumb
factor_effects          the effect of each level of a factor, on deals that all levels share
first_choices           the first choices of a game, with playouts of each alternative
point_sources           actions that aim at points from one source, and games without that source
point_source_ablation   games in which some seats cannot score from some sources, as tables
playing_styles          what agents do in numbers, and whether these numbers form groups
"""

"""Code of the notebooks: experiments on the game and on what agents learned.

Kernels start in the notebooks' folder, so a notebook imports this package as `lab`. No other code
imports it, and no wheel contains it.

session         notebook sizes, tournaments, cached tables, estimates as a plot
answers         answers and claims with their numbers, and the table of all answers
sampling        decisions of new games, with how the games ended
decision_kinds  kinds of decision by topic, and decisions in general words
game_plots      the game, its map, its observations and its cards as pictures
rating_checks   how far to trust the ratings and intervals of a tournament
transitivity    whether agents beat each other in circles
experiments/    positions with one change, played to the end in many worlds
mistakes/       costly decisions, and how often agents make them
networks/       what a trained network learned
"""

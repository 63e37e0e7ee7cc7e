"""What the notebooks compute and draw: experiments on the game and on what agents learned.

Kernels start in the notebooks' folder, so that a notebook imports this package as `lab`; nothing
else does, and it is in no wheel.

session                 how large notebooks run, tournaments, cached tables, estimates as a plot
answers                 answers and claims with their numbers, and the table of all answers
game_plots              the game, its map, its observations and its cards as pictures
commentary              games and turns in words, with the chance to win
interventions           positions with one thing changed: a gift, a Tech, a race, who plays
card_values             what each card is worth, played on and by the rules of thumb
factor_effects          what the levels of a factor are worth, over deals that share them
first_choices           the first choices of a game, and every alternative played on
point_sources           which actions go after points from a source, and steps without such points
point_source_ablation   games in which some sources of points are closed to some seats, as tables
sampling                decisions of fresh games, with how the games ended
linear_probes           concepts of a player, and what can be read off from a network's layers
permutation_importance  observations with a part of other positions in them
search_disagreement     where a search chooses otherwise, and who is right
plain_networks          networks of bare numbers, or without pointers, to compare others with
network_tables          the answers of these on some networks, and one game's decisions, as tables
network_plots           such tables as pictures
playing_styles          what agents do, and whether that forms groups
rating_checks           how far the ratings and intervals of a tournament can be trusted
transitivity            whether agents beat each other in circles
decision_kinds          kinds of decision by what they are about, and decisions in general words
regret                  what decisions cost, against what a strong agent would do
common_mistakes         what an agent does wrong again and again, and what was luck
"""

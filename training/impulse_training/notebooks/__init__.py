"""What the notebooks share.

session        how large they run, where they write, games to ask
board_plots    the game, its map and its observations as pictures
card_plots     cards as they are printed, and what they are worth
policy_table   what networks think of a whole game
network_plots  what a network learned, as pictures
claims         claims on strategy, each with its test
answers        answers with their numbers, and the table of all
kept           tables that are played once and read afterwards
kept_points    tables of who took how many points from where, kept
told_turns     a game told turn by turn, with the chance to win
"""

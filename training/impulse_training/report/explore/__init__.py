"""Openings of recorded games, as a tree of the first choices.

A line is the sequence of choices of one seat of one game in its own turns, from the deal. Lines
share a node as long as their choices are equal, whatever the deal: see `choices`.

line_filter      the filter of lines
choices          names of choices, independent of the seat
chances          the chance to win before and after a choice
tree             the tree, its counts, and the chains of choices in a move
lines            replays many games at once and follows their lines down the tree
table            the top of the tree in a terminal, and all of it as JSON
drawings         the board at the nodes
page             the explorer as one HTML file, and replay pages of the games
explore_options  the options
web/             the scripts and styles of that file
"""

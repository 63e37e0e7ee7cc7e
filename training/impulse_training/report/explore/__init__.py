"""Openings of recorded games, as a tree of what was chosen first.

A line is what one seat of one game chose in its own turns, from the deal on. Lines share a node
as long as they chose the same, whatever the deal: see `choices`.

wanted           which lines are looked at
choices          what a choice is called, the same from every seat
chances          the chance to win before and after a choice
tree             the tree, its counts, and which choices belong together
lines            games played again, many at once, down the tree
table            the top of the tree in a terminal, and all of it as JSON
drawings         the board at the nodes
page             one HTML file that shows it all, and pages of the games
explore_options  which openings are shown, and how
web/             what that file is made of
"""

"""Replays of recorded games: ``impulse replay FILE``.

steps        the game at each decision, from a viewer's point of view
terminal     a replay in a terminal, step by step or as one text
keyboard     keys for the terminal
transcript   a game as text while it is played
analysis     the quality of each decision, and luck
explanation  the cause of a loss, in a sentence
branches     what-if branches with other choices
bundle       all data that a page shows
page         the page of a game
web/         the files of the page; `impulse_env.pages` has the kit that all pages share
"""

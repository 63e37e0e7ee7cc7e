"""A record told again: ``impulse replay FILE``.

steps        the game at each decision, as somebody sees it
terminal     step by step, or all of it, in a terminal
keyboard     the keys for that
transcript   a game as text while it is played
analysis     how well it was played
branches     what would have come of other choices
bundle       everything that a page shows, as data
page         the page of a game
web/         what it is made of, besides the kit of `impulse_env.pages`
"""

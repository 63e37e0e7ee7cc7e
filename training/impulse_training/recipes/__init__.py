"""How the agents of record are trained again: `impulse train --recipe 2p`.

recipe   a recipe as it is written in ``agents/recipes/NAME.toml``: its legs and their options
results  where the result of a leg is kept, and whether it is there
run      the missing legs of a recipe, one after another
"""

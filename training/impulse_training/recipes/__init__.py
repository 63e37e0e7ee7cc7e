"""Trains released agents again from recipes: `impulse train --recipe 2p`.

recipe   reads ``agents/recipes/NAME.toml``: the stages of a recipe and their options
results  the files of the results of stages
run      trains the missing stages of a recipe in order
"""

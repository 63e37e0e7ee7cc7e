"""The engine for programs in C, and in other languages that call C functions.

parts      a game in C: its record and its legal actions
starting   games from options and seeds
playing    steps, legal actions and results
knowledge  what a seat knows: observations, views and determinizations
entries    the functions of the library by their names in C
code       their machine code, with plain C functions around them
files      the library on disk: that of a wheel, or made here
"""

"""The manual of the command `impulse`: a file for each command, in a folder for each word.

commands    every command with what it does, in the order of the help
__main__    runs `impulse` as ``python -m impulse_training.cli``
framework/  reads the command line, and runs the command that it names

Commands of one word:

play        a table in the browser, or one game in the terminal
replay      a record in a terminal or as a page
export      games as something else, by the ending of the file or the format
match       agents against each other, and what their games settle
evaluate    a trained agent against every kind of opponent
demo        the whole project in a few minutes
info        what is installed, and where

Words with more commands below them:

games/       records and examines games
tournament/  rates agents
agents/      lists agents, and places, calibrates and describes them
train/       trains agents
bench/       measures speed
tools/       sets up and checks

A file has `COMMAND` with examples and the extra that it needs, the dataclass `Args` of its options,
and `main`. People read what `main` prints; `--json` prints what it returns. Completion imports
every file, so `main` imports the libraries of extras.
"""

"""The commands of `impulse`: a file for each command, in a folder for each group.

commands    all commands with their summaries, in the order of the help
__main__    runs `impulse` as ``python -m impulse_training.cli``
framework/  reads the command line, and runs the command that it names

Commands of one word:

play        a table in the browser, or one game in the terminal
replay      a recorded game in the terminal or as a page
export      games in other formats, by the ending of the file or by `--format`
match       agents against each other, with intervals and tests
evaluate    a trained agent against every kind of opponent
demo        the whole project in a few minutes
mcp         a game for language models, over the Model Context Protocol
benchmark_text  a language model on tasks in text
engine      an agent for programs in any language, over stdin and stdout
protocol_check  whether a bot in any language obeys the protocol
info        versions, caches, hardware and installed extras

Groups of commands:

games/       records and examines games
tournament/  rates agents
agents/      lists, rates, calibrates and describes agents
train/       trains agents
bench/       measures speed
tools/       sets up and checks an installation

Each file defines `COMMAND` (examples and the required extra), the dataclass `Args` of its options,
and `main`. `main` prints text for people; `--json` prints its return value. Completion imports
every file, so `main` imports the libraries of extras.
"""

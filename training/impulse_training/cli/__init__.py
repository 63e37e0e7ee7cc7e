"""The command `impulse`.

commands     the tree: every command with its options, its function and its examples
parsing      options from a command line by tyro; what is wrong with them in one sentence
main         runs a command, and ends it quietly whatever happens
streams      standard streams that take every character
cli_options  the options of agents, info, warmup and demo

Commands, a module each:

agents       the agents with their strength and speed
completion   scripts that complete commands and options in a shell
demo         the whole project in a few minutes
distill      fits a network to what an agent plays
export       games as something else, by the ending of the file or the format
golden       writes the golden games and drawings again
imitate      fits a network to what a teacher does
info         what is installed, and where
replay       a record in a terminal or as a page
signature    a fingerprint of how the game plays
train        self-play as the options say, or the legs of a recipe
warmup       compiles everything beforehand
"""

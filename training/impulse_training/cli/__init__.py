"""The command `impulse`.

commands     the table: every subcommand with its options, its function and its examples
parsing      options from a command line by tyro; what is wrong with them in one sentence
main         runs a subcommand, and ends it quietly whatever happens
streams      standard streams that take every character
completion   scripts that complete subcommands and options in a shell
agents       the agents with their strength and speed
info         what is installed, and where
warmup       compiles everything beforehand
demo         the whole project in a few minutes
cli_options  the options of the last four
"""

"""Reads a command line and runs its command.

main        runs a command, and turns every error into one sentence
command     the declaration of a command
tree        finds commands and their files by name
help        the help of `impulse`, and the end of each command's help
parsing     reads options with tyro, and reports errors in one sentence
completion  scripts that complete commands and options in a shell
streams     standard streams that take every character
"""

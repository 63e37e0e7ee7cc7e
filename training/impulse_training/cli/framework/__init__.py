"""What reads a command line and runs the command that it names.

main        runs a command, and ends it quietly whatever happens
command     what the file of a command says of it
tree        finds commands by their names, and their files
help        the help of `impulse`, and what each command's help has at its end
parsing     options from a command line by tyro; what is wrong with them in one sentence
completion  scripts that complete commands and options in a shell
streams     standard streams that take every character
"""

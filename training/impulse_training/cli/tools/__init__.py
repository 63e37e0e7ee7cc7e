"""The commands `impulse tools …`: set up and check.

warmup      compiles everything beforehand
completion  prints a script that completes commands and options in a shell
soak        plays random games of all settings, every record checked
signature   prints a fingerprint of how the game plays
claims      lists the numbers of the pages, or measures them again
golden      writes the golden games and drawings again
"""

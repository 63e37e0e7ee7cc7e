"""The commands `impulse tools …`: set up and check an installation.

warmup      compiles everything in advance
completion  prints a script that completes commands and options in a shell
soak        plays random games in all settings, and checks every state
signature   prints a fingerprint of the game's behaviour
text_tasks  makes tasks for language models
claims      lists the published numbers, or measures them again
golden      rewrites the golden games and drawings
"""

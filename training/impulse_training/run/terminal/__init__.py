"""The command line and the output.

command_line  the command line of this process
screen        the console for text and tables
interrupt     Ctrl-C and SIGTERM, which end a run after it has saved
"""

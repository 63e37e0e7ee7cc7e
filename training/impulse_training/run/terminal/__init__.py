"""What a person types, and sees.

command_line  what was typed
screen        where commands print text and tables
interrupt     Ctrl-C and SIGTERM, which end a training in good order
"""

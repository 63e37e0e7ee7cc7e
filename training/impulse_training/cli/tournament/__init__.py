"""The command `impulse tournament` and its subcommand.

tournament  plays the missing games of a tournament, then reports
report      rebuilds the report from the games
"""

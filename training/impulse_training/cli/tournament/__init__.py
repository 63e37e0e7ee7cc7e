"""The command `impulse tournament` and the one below it.

tournament  plays what is missing of a tournament, then reports
report      makes the report again from the games
"""

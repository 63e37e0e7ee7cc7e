"""Positions: a game as JSON, written and read with checks.

writer  converts a game to a JSON-able dict
reader  converts such a dict to a game; every field is checked, every card counted
"""

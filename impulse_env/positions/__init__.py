"""A position as JSON: written, and read with checks.

writer  a game as a JSON-able dict
reader  such a dict as a game; every field is checked, every card counted
"""

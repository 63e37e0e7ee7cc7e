"""A record told again: ``python -m impulse_env.replay FILE``.

steps.py      the game at each decision, as somebody sees it
terminal.py   step by step, or all of it, in a terminal, with keys from keyboard.py
bundle.py     everything that a page shows, as data
page.py       the page: one file that needs nothing else, made of what is in web/
"""

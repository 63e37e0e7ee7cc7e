"""Tournaments: agents play each other, and what comes out of it is measured.

schedule.py  which agents sit where on which deal
play.py      plays scheduled games side by side
result.py    a finished game as a line of a file
"""

"""Records: a whole game as a small file, written while it is played and read with checks.

record          what a record holds, as lines of JSON
writer          writes one while its game is played
reader          reads one and plays its whole game
mistaken        what a path is that was named in place of a record, an agent or a folder
recorded_games  games one after the other, from wherever they are kept
side_by_side    many of them played again at once
"""

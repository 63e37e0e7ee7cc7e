"""Records: a whole game as a small file, written during the game and read with checks.

record          the contents of a record, as lines of JSON
writer          writes a record while its game is played
reader          reads a record and plays its whole game
mistaken        names the type of a file that is not the expected record, agent or folder
recorded_games  games one after another, from files and folders
side_by_side    replays many recorded games at once
"""

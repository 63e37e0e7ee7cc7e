"""Records: a whole game as a small file, written while it is played and read with checks."""

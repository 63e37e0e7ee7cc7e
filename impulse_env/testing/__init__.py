"""What the project offers to tests: golden games and drawings, the signature, random play.

random_play      a uniformly random player
playthroughs     whole games as text
golden_drawings  drawings that a person has looked at
signature        a fingerprint of how the game plays
checked_play     random games in compiled code, with every record checked
edits            records with something wrong in them
edit_trials      what becomes of those
"""

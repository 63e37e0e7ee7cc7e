"""Tools for tests: golden games and drawings, the signature, random play.

random_play      a uniformly random player
playthroughs     whole games as text
golden_drawings  drawings that a person has checked
signature        a fingerprint of the rules' implementation
checked_play     random games in compiled code, with every record checked
edits            records with errors
edit_trials      trials of such records: rejected, or played to their end
"""

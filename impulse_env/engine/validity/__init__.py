"""Validity of records: every index, count, sum and frame, at a decision or an end.

The checks hold at every decision and after the end of every game, so the same code rejects invalid
bytes from outside and checks running games. It writes only the first fault that it finds. Every
accepted record plays to its end.

faults      a fault as numbers: field, element, value, allowed range, reason
phases      options, status, active seat, phase and cursor, the setup
zones       every card in one place, and the known cards of hands
seats       ships, scores, races, elimination
expected    initial values of frames, and the checks that `ops.csv` defines
frames      further checks of frames, and their cards on the table
movement    fleets and path of the current Command
battles     the current battle
stacking    the order of frames, and the cards on the table
check       the whole record, each check after those that it relies on
"""

"""Whether a record can be a game: every index, count, sum and frame, at a decision or an end.

What is asked of a record holds at every decision and after the end of every game, so the same code
refuses bytes from elsewhere and checks games that are played. It reads, and writes nothing but the
first fault that it finds; what it accepts plays to its end.

faults      what is wrong, as numbers: field, element, value, what is allowed, why
phases      options, status, whose turn it is, phase and cursor, the setup
zones       every card in one place, and what is known of hands
seats       ships, scores, races, elimination
expected    what a frame begins with, and what `ops.csv` says of its fields
frames      what a frame may hold that `ops.csv` does not say, and its card on the table
movement    fleets and path of the Command under way
battles     the battle under way
stacking    which frame may lie on which, and the cards on the table
check       all of it, each check after those that it relies on
"""

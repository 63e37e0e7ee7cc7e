"""Whether a record can be a game: every index, count, sum and frame, at a decision or an end.

What is asked of a record holds at every decision and after the end of every game, so the same code
refuses bytes from elsewhere and checks games that are played. It reads, and writes nothing but the
first fault that it finds; what it accepts plays to its end.

faults      what is wrong, as numbers: field, element, value, what is allowed, why
standing    options, status, whose turn it is, phase and cursor
zones       every card in one place, and what is known of hands
seats       ships, scores, races, elimination
setup       the phases before the first turn
expected    what a frame begins with, and what `ops.csv` says of its fields
frames      what the frame of an effect may hold that `ops.csv` does not say
steps       the same of any other step, and its card on the table
choices     decisions that need something to choose
movement    fleets and path of the Command under way
battles     the battle under way
stacking    which frame may lie on which, and the cards on the table
check       all of it, in the order in which one relies on the other
"""

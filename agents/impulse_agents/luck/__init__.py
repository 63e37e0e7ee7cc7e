"""How much of a game's result was luck: what chance gave each side, event by event.

After the AIVAT of Burch, Schmid, Moravčík, Morrill and Bowling (2018) and the MIVAT of White and
Bowling (2009): wherever a game draws by chance, a value that was fixed beforehand says how much
better the sides stand by what came than they would on average by what could have come. That
difference is 0 on average whatever the value is worth, so that a result minus its luck is what the
result is on average: no bias, and the less noise the better the value.

chance        which decisions drew something, and what else they could have drawn
values        what says how the sides stand: a network, or the rules of thumb
played        games as they were played
corrections   the luck of games, event by event
coefficients  how much of it to take out, fitted to other games beforehand
"""

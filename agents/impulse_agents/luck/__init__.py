"""The luck in a game's result: each side's gain from every random event.

The method follows AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, 2018) and MIVAT (White and
Bowling, 2009). At each random event, a value function compares the sides' chances after the actual
outcome with their mean over possible outcomes. The value function is fixed in advance. So the
difference is 0 on average, however accurate the value is. A result minus its luck has the same mean
as the result: no bias, and the better the value, the less noise.

chance        the decisions that drew something, and other possible outcomes
values        value functions: a network, or the rules of thumb
game_log      games with their starts and actions
corrections   the luck of games, event by event
coefficients  factors of the luck to take out, fitted to other games in advance
"""

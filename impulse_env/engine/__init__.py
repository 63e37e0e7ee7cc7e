"""The game: Impulse as compiled functions over one record.

constants     numbers and words of the rulebook
cards         the deck as tables
ops           properties of every decision and step, as tables
sector_map    adjacent cells and gates
action_space  the actions as numbers
state         a game as one record
rng           random numbers from the record
deal          setup
turn          the six steps of a turn
offer         the card on offer in a decision
stack         the current effects, as frames of the record
decisions     the options of decisions, and the effects of choices
effects/      the ten actions
deck          moves of cards between zones
boost         boosts of the boxed number
battle        reinforcements, cards, the winner
scoring       points, elimination and the end
"""

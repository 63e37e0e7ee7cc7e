"""The game: Impulse as compiled functions over one record. It does not know it is being learned.

constants     numbers and words of the rulebook
cards         the deck as tables
ops           what is said once of every decision and step, as tables
sector_map    what is next to what
action_space  the actions as numbers
state         a game as one record
rng           random numbers from the record
deal          setup
turn          the six steps of a turn
offer         the card that a decision is about
stack         what is under way, as frames of the record
decisions     which options a decision has, and what a choice does
effects/      the ten actions
deck          where cards go
boost         the boxed number
battle        reinforcements, cards, the winner
scoring       points, elimination and the end
"""

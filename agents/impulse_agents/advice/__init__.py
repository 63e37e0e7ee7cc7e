"""What agents think of a decision, and how well a game was played.

advice         an agent's likeliest actions, with what it knows to say of them
analyse        a decision as a search sees it
annotate       advice for every decision of a record
game_analysis  how well a game was played, by a trained agent
playouts       a position played to its end many times
regret         what choices are worth: a trained agent plays on after each
"""

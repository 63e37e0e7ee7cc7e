"""What agents think of a decision, and the processes in which they are asked.

advice         an agent's likeliest actions, with what it knows to say of them
analyse        a decision as a search sees it
annotate       advice for every decision of a record
branch_tasks   what worker processes are asked about a branch of a recorded game
game_analysis  how well a game was played, by a trained agent
playouts       a position played to its end many times
regret         what choices are worth: a trained agent plays on after each
replay         the command that shows a record, with an analysis if asked for
replay_tasks   what makes the page of a finished game, with a note beside each decision
worker_pool    processes with time limits, in which agents are asked
worker_tasks   what they are asked there
"""

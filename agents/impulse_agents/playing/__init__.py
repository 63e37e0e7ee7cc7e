"""Many games in parallel, with one batched call for each agent.

game_runner     the loop: each agent is asked about all its games at once
continuations   positions continued to their ends, or until a turn begins
interventions   the same position with another card in a hand
decision_speed  an agent's time for a decision
"""

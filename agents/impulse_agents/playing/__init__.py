"""Games played side by side, one batched call for each agent.

game_runner     the loop: each agent is asked for all its games at once
continuations   positions played on to their ends, or until a turn begins
interventions   the same position with another card in a hand
decision_speed  how long an agent takes for a decision
"""

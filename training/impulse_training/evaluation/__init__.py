"""Measures agents: against a fixed suite, against each other, and by training a best response.

suite               the opponents of a trained agent, and the target win rate against each
evaluate            plays those games
results             the results, as a file and a table
best_response       how beatable an agent is: trains another agent, or a coalition, against it
exploit_result      how much that won, as a file and a table
weaknesses          the kinds of decision at which an agent loses the most chances to win
weaknesses_report   those losses as a table, and as a section of the model card
search_trials       which settings make a search stronger
ablation            which network learns faster
trainings           the trainings that the last ones need
calibration/        chances to win from an agent's value, and the weights of the luck adjustment
model_card/         the model card of a checkpoint
standings/          all agents in one table
evaluation_options  the options of these commands
"""

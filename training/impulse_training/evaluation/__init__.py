"""Measuring agents: against a fixed suite, against all others, and by whoever learns to beat them.

suite               the opponents of a trained agent, and what is expected against them
evaluate            plays those games
results             what they showed, as a file and a table
best_response       how beatable an agent is: another one is trained against it
weaknesses          where an agent gives its chances away, found in games
weaknesses_report   that as a table, and as a section of its card
search_trials       which settings make a search stronger
ablation            which network learns faster
calibration/        what an agent's value means, and how far luck is taken out of results
model_card/         the page on a checkpoint
standings/          all agents in one table
evaluation_options  the options of what is measured here
"""

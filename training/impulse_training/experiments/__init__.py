"""Questions that take several trainings or many games, and the demo.

config          the options
ablation        which network learns faster
best_response   how beatable an agent is
search_trials   which settings make a search stronger
fit_evaluation  the coefficients of the evaluation function
demo            the whole project in a few minutes
"""

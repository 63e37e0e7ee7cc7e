"""Statistics of game results: intervals, tests and ratings.

game_results      finished games: a record of each, and all of them as arrays
intervals         Wilson's interval of a share
bootstrap         intervals from resampled clusters
estimates         means and differences of a table's columns, by cluster; needs pandas
luck_adjusted     luck-adjusted shares
hypothesis_tests  a sequential test between two means; a test of equivalence
likelihood        the likelihood of the winners, and its maximum
elo               ratings with intervals
nash              cycles among agents, and the Nash mixture
summary           the statistics of a tournament as plain records
"""

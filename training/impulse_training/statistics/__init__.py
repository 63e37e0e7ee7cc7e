"""What results of games say: intervals, tests and ratings.

game_results      finished games: a record of each, and all of them as arrays
intervals         Wilson's interval of a share
bootstrap         intervals from clusters drawn anew
estimates         means and differences of a table's columns, by cluster; needs pandas
luck_adjusted     shares with the luck taken out
hypothesis_tests  which of two means holds, as soon as that is sure; whether two are equivalent
likelihood        the likelihood of the winners, and its maximum
elo               ratings with intervals
nash              who beats whom where strength is no ladder
summary           plain records of what the results of a tournament add up to
"""

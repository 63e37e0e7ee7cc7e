"""How strong the agents are: Elo ratings by maximum likelihood, and what results add up to.

tally        results as arrays: who sat where, who won
likelihood   the likelihood of the winners, and its maximum
elo          ratings with intervals
luck         what agents won with the luck taken out
cycles       who beats whom where strength is no ladder
statistics   plain records of what the results add up to
sequential   a test that ends as soon as the matter is decided
calibration  how far all that can be trusted
"""

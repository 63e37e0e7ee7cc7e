"""Costly decisions: what they are, how often agents make them, and what they cost.

commentary              games turn by turn in words, with the win probability
common_mistakes         repeated mistakes of an agent, and the share of luck
regret                  the cost of decisions compared with those of a strong agent
search_disagreement     decisions in which a search differs from its network, and which one is right
"""

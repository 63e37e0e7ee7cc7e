"""Agents' advice on decisions, and their analysis of games.

advice         an agent's likeliest actions, with its figures
analyse        a search's lines at one decision
annotate       advice for every decision of a record
explanations   the cause of a costly decision, tested by undoing it
game_analysis  a trained agent's judgement of every decision of a game
playouts       a position played to its end many times
regret         the chances to win after each choice, by a trained agent
"""

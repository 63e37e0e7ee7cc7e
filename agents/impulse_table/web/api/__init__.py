"""The HTTP interface of the pages.

answers    error responses, and work that is cancelled with its request
lobby      the start page: opponents, new tables, today's deal, a first game
game_over  finished games: summary, analysis, replay and record
analyses   the analysis of any recorded game
mistakes   costly decisions of the games of a browser as puzzles, and a profile
branches   other choices in an analysed game, and the agents' evaluation of them
"""

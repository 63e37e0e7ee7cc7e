"""What pages ask the server for over HTTP.

answers    what requests are answered with, and work that ends with its request
lobby      the start page: opponents, new tables, today's deal, a first game
game_over  finished games: how they went, their analysis and replay
analyses   any recorded game, dropped on a page
branches   other choices in an analysed game, and what agents make of them
"""

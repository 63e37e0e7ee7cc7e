"""The table in the browser: ``impulse play``, or ``make play``.

config         the options
command        serves until Ctrl-C
server         HTTP and WebSockets around the sessions of `impulse_table`
beginnings     the start page: opponents, today's deal, a first game
analyses       any recorded game, dropped on a page
branches       other choices in an analysed game, and what agents make of them
endings        finished games: how they went, their analysis and replay
ways_on        pages for addresses that lead nowhere; the version of the pages
page_socket    the WebSocket of a page
waiting        what is computed for a page ends when the page has gone
listening      where the server listens
request_guard  who may talk to the server
invitations    links that let one browser in
entrance       who has used such a link comes in
rate_limits    how much one address may ask
logs           what the server writes, a line for each event
static/        the pages
"""

"""The table in the browser: ``impulse play``, or ``make play``.

command        serves until Ctrl-C
listening      the options, and where the server listens
server         HTTP and WebSockets around the sessions of `impulse_table`
api/           what pages ask for over HTTP
page_socket    the WebSocket of a page
request_guard  who may talk to the server
rate_limits    how much one address may ask
access         who has used a link comes in
invitations    links that let one browser in
pages          the pages and their version, and what stands at addresses that lead nowhere
logs           what the server writes, a line for each event
static/        the pages
"""

"""The table in the browser: ``impulse play``, or ``make play``.

command        serve until Ctrl-C
listening      the options, and the address of the server
server         HTTP and WebSockets around the sessions of `impulse_table`
api/           the HTTP interface of the pages
page_socket    the WebSocket of a page
request_guard  check of the headers ``Host`` and ``Origin``
rate_limits    limits for each client address
access         admit the browsers that have used a link
invitations    one-time links, each for one browser
pages          the texts of the pages, and their version
bundles        the pages as served, with one script and one style sheet each
logs           the server's log, one line for each event
static/        files of the pages
"""

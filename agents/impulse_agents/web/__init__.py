"""The table in the browser: ``impulse play``, or ``make play``.

config         the options
command        serves until Ctrl-C
server         HTTP and WebSockets around the sessions of `impulse_agents.table`
request_guard  who may talk to the server
static/        the pages
"""

"""One game for clients of the Model Context Protocol, such as language models, and agents.

hosted    the game: agents decide on their own, clients when their seats must
tools     the tools of a viewer: a typed tool for each kind of action, look, wait and rules
protocol  the protocol's server, over standard input and output or over HTTP
serving   the options, and the game that they describe
"""

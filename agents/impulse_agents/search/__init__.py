"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), compiled.

tree            the tree: nodes, edges, which action to try next
playout         from a leaf to an estimate of every side's chance
simulation      one simulation after another
guided          simulations that a network guides
leaf_chance     the chance that a network's value stands for
reuse           what is found of the next decision already goes on to it
one_ply         one step ahead: the position after each action
kernel          the compiled entry point of all searches
agent           the agents ``greedy`` and ``ismcts:N``
network_search  searches of many games that a network guides
network_agent   the agents ``policy+search:…``, whose network guides the tree
calibrations    what the chances that it finds have meant in games
variations      the tree's principal variations, for a person to read

Each simulation draws a full game that looks the same to the seat that decides and plays it down one
tree of actions, so an action's value is the mean over what might be hidden. The search gets the
seat's view and nothing else.
"""

"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), compiled.

tree           the tree: nodes, edges, and the selection of actions
playout        from a leaf to an estimate of every side's chance, and a network's value as one
simulation     simulations without a network
guided         simulations that a network guides
reuse          the part of a tree that the next decision can use
kernel         one step ahead, and the compiled entry point of all searches
agent          the agents ``greedy`` and ``ismcts:N``
network_agent  the agents ``policy+search:…``, whose network guides the tree
calibrations   calibrations of the chances that searches find
variations     the tree's principal variations, for people

Each simulation draws a full game that agrees with the deciding seat's view, and plays it down one
tree of actions. So an action's value is the mean over possible hidden information. The search gets
only the seat's view.
"""

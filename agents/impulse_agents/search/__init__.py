"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), compiled.

tree.py       the tree: nodes, edges, which action to try next
playout.py    from a leaf to an estimate of every side's chance
simulate.py   one simulation after another
agent.py      the agents ``ismcts:N`` and ``policy+search:…``
lines.py      what the search found, for a person to read

Each simulation draws a full game that looks the same to the seat that decides and plays it down one
tree of actions, so an action's value is the mean over what might be hidden. The search gets the
seat's view and nothing else.
"""

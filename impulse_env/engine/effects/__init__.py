"""The ten actions; `start.py` reads a card and pushes its first frame.

command.py      Command
from_hand.py    Trade, Mine and Plan from hand
reveal.py       whatever comes from the deck: Draw, Trade, Mine, Research, Plan
research.py     Research from hand and Plan, and the Tech slot
refine.py       Refine
build.py        Build
sabotage.py     Sabotage
execute.py      Execute
basic_tech.py   the common and the six race Techs
"""

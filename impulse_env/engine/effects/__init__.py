"""The ten actions as effects that push frames instead of calling one another.

start       reads a card and pushes its first frame
command     Command
from_hand   Trade, Mine and Plan from hand
reveal      cards from the deck: Draw, Trade, Mine, Research, Plan
research    Research from hand and Plan, and the Tech slot
refine      Refine
build       Build
sabotage    Sabotage
execute     Execute
basic_tech  the common and the six race Techs
"""

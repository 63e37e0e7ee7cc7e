"""The benchmark "Impulse text": tasks for language models, and the players that are measured on it.

make     makes the tasks from games between agents
players  a language model behind an address, or an agent
run      plays tasks, several at a time, and continues after an interruption
report   the results by level, with intervals
"""

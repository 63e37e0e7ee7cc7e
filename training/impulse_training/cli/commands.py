"""The contents of the manual: every command in the order of the help, and what it does.

A word may be a command with more below it, as `git stash` is: `impulse train` and `impulse train
rllib`. The command `impulse games record` is the file `games/record.py`; a command with others
below it is the file of its own name in its folder, such as `train/train.py`.
"""

from typing import Final

TREE: Final[dict[str, dict[str, str]]] = {
    "Play and watch": {
        "play": "play against agents or people, in the browser or with --terminal",
        "replay": "step through a recorded game, or write it as a page",
        "games": "record and examine games",
        "games record": "write records of games between agents",
        "games explore": "explore openings: what was chosen first in many games, how often, "
        "and who won",
        "games analyse": "what a search finds at a decision of a game",
        "games annotate": "write into a record what agents think of its decisions",
        "games complexity": "measure what makes the game hard: length, choices, hidden cards, "
        "chance",
        "export": "turn games into pictures, text, positions, pages, tables, or data",
    },
    "Compare agents": {
        "match": "play agents against each other: win rates with intervals",
        "tournament": "rate agents: every line-up on every deal from every seat",
        "tournament report": "make a tournament's tables and page again from its games",
        "evaluate": "measure a trained agent against every kind of opponent",
        "agents": "list the agents",
        "agents standings": "show how strong all agents are, or place one of your own among them",
        "agents calibrate": "find out by games which chance to win a trained agent's value stands "
        "for",
        "agents fit-luck": "find out by games how much of the luck that a judge sees to take out "
        "of results",
        "agents weaknesses": "find out where a trained agent gives its chances away, from games "
        "that it lost",
        "agents search-trials": "try other settings of a search against the search as it is, by a "
        "sequential test",
        "agents migrate": "carry a trained agent over a change of the observation",
        "agents model-card": "write a trained agent's card: how it was made, what it can do",
    },
    "Train": {
        "train": "train an agent by self-play",
        "train rllib": "train by self-play with RLlib, on this machine or on a Ray cluster",
        "train imitate": "fit a network to what a teacher does (behaviour cloning, DAgger)",
        "train distill": "fit a network to what a trained agent plays",
        "train best-response": "how beatable: train a best response to an agent",
        "train ablation": "which network learns faster, from the same steps and seeds",
        "train fit-evaluation": "fit what the rule-based agents and the search think of a position",
        "demo": "the project in a few minutes: a game, a training, a tournament",
    },
    "This machine": {
        "info": "versions, cache, hardware, and what is installed",
        "bench": "measure the environment's speed",
        "bench agents": "measure how fast the agents decide",
        "bench training": "measure what the games cost a training",
        "tools": "set up and check",
        "tools warmup": "compile everything now, so that nothing waits later",
        "tools completion": "print a script that completes commands and options in a shell",
        "tools soak": "play random games of all settings, every record checked after every "
        "decision",
        "tools signature": "print a fingerprint of how the game plays",
        "tools claims": "list the numbers of the pages, or measure them again",
        "tools golden": "rewrite the golden games and drawings that tests compare with",
    },
}
"""What each command does, by its name, under what a person wants."""

GROUPS: Final = ("games", "tools")
"""Words that are no commands themselves; others are below them."""

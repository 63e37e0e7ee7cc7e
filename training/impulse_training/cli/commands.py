"""All commands with their summaries, in the order of the help.

A command may have subcommands, as `git stash` does: `impulse train` and `impulse train rllib`. The
command `impulse games record` is the file `games/record.py`. A command with subcommands is the
file of the same name in its folder, such as `train/train.py`.
"""

from typing import Final

TREE: Final[dict[str, dict[str, str]]] = {
    "Play and watch": {
        "play": "play against agents or people, in the browser or --terminal",
        "replay": "step through a recorded game, or write it as a page",
        "games": "record and examine games",
        "games record": "play games between agents and save a record of each",
        "games explore": "explore openings: first choices in many games, their frequency, and "
        "the winners",
        "games analyse": "show the lines that a search considers at a decision",
        "games annotate": "add agents' evaluations of the decisions to a record",
        "games complexity": "measure the game's complexity: length, choices, hidden cards, chance",
        "export": "convert games to pictures, text, pages, tables or data",
    },
    "Train and compare agents": {
        "match": "play agents against each other: win rates with intervals",
        "tournament": "rate agents: every line-up on every deal from every seat",
        "tournament report": "rebuild a tournament's tables and page from its games",
        "evaluate": "measure a trained agent against every kind of opponent",
        "agents": "list the agents",
        "agents standings": "show the ratings of all agents, or rate your own agent",
        "agents calibrate": "fit the map from a trained agent's values to win probabilities",
        "agents fit-luck": "fit the weights of the luck adjustment (AIVAT)",
        "agents weaknesses": "find the decisions that cost a trained agent games",
        "agents search-trials": "test other settings of a search against the current ones "
        "(sequential test)",
        "agents migrate": "adapt a trained agent to a changed observation",
        "agents model-card": "write a trained agent's model card: its training and its results",
        "train": "train an agent by self-play",
        "train sb3": "train a baseline by the unmodified MaskablePPO of Stable-Baselines3",
        "train rllib": "train by self-play with RLlib, on this machine or on a Ray cluster",
        "train imitate": "train a network to imitate a teacher (behaviour cloning, DAgger)",
        "train distill": "distill a trained agent into another network",
        "train best-response": "measure exploitability: train a best response to an agent",
        "train ablation": "compare how fast networks learn, with equal steps and seeds",
        "train fit-evaluation": "fit the evaluation function of the rule-based agents and the "
        "search",
        "demo": "a tour of the project: a game, a training run, a tournament",
    },
    "Language models and other programs": {
        "mcp": "let language models play or watch a game (MCP)",
        "benchmark-text": "measure a language model on tasks in text",
        "engine": "serve an agent to a program in any language",
        "protocol-check": "check whether a bot in any language obeys the protocol",
    },
    "This machine": {
        "info": "show versions, caches, hardware and installed extras",
        "bench": "measure the environment's speed",
        "bench agents": "measure how fast the agents decide",
        "bench training": "measure the share of training time that games take",
        "tools": "set up and check",
        "tools warmup": "compile everything now, so that later commands start at once",
        "tools completion": "print a script that completes commands and options in a shell",
        "tools soak": "play random games in all settings, and check the state at every decision",
        "tools signature": "print a fingerprint of the game's behaviour",
        "tools claims": "list the published numbers, or measure them again",
        "tools text-tasks": "make tasks for language models from games of the released agents",
        "tools golden": "rewrite the golden games and drawings that tests compare with",
    },
}
"""The summary of each command, by name, under the titles of the help."""

GROUPS: Final = ("games", "tools")
"""Names that have subcommands and do nothing on their own."""

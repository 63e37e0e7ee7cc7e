"""A bot in Python without any package: it takes the first legal action."""

import json
import sys


def say(**message):
    """Write a line."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", protocol=1, name="First")
    elif message["type"] == "choose":
        say(type="action", id=message["id"], action=message["legal"][0])
    elif message["type"] == "quit":
        break

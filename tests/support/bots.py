"""Programs that speak the protocol, each in its way; run as ``python bots.py KIND [ARGUMENT]``.

All begin well; a faulty one goes wrong when it must answer.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

HELLO = {"type": "hello", "protocol": 1}
HELLOS = {
    "ahead": {"ahead": 8},
    "slow": {"seconds": 0.2},
    "deaf": {"seconds": 0.2},
    "patient": {"seconds": 0.2},
    "children": {"seconds": 0.2},
    "hangs": {"seconds": 600},
    "two": {"players": [2]},
    "log": {"wants": sys.argv[3].split("+") if len(sys.argv) > 3 else []},
}


def bot(kind, *arguments):
    """The name of the agent."""
    words = [sys.executable, str(Path(__file__)), kind, *map(str, arguments)]
    return f"cmd:{' '.join(words)}"


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def wait():
    time.sleep(1000)


def answer(kind, asked):
    """Answer a decision."""
    action = {"type": "action", "id": asked["id"], "action": asked["legal"][0]}
    if kind == "illegal":
        return say(action | {"action": "race ariek"})
    if kind == "unknown":
        return say(action | {"action": "win"})
    if kind == "garbage":
        return write("?\n")
    if kind == "endless":
        return write("x" * (1 << 21))
    if kind == "chatty":
        return write('{"type":"info"}\n' * 5000)
    if kind == "stale":
        return write(2 * (json.dumps(action) + "\n"))
    if kind == "refuses":
        return say({"type": "error", "message": "no idea"})
    if kind == "dies":
        os._exit(3)
    if kind in ("slow", "deaf"):
        wait()
    if kind in ("children", "hangs"):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        if kind == "hangs":
            with open(sys.argv[2], "a", encoding="utf-8") as file:
                file.write(f"{os.getpid()} {child.pid} ")
        wait()
    if kind == "loud":
        sys.stderr.write("x" * 300_000)
    if kind == "patient":
        assert json.loads(sys.stdin.readline()) == {"type": "stop"}
    if kind == "last":
        action["action"] = asked["actions"][-1]
    if kind == "thinks":
        shares = dict.fromkeys(asked["legal"], 1 / len(asked["legal"]))
        line = {"actions": [asked["legal"][-1]], "wins": 0.7, "visits": 9, "share": 0.5}
        say({"type": "info", "wins": 0.6, "shares": shares, "lines": [line]})
    say(action)


def main(kind):
    for line in sys.stdin:
        if kind == "log":
            with open(sys.argv[2], "a", encoding="utf-8") as file:
                file.write(line)
        message = json.loads(line)
        if message["type"] == "hello":
            if kind == "mute":
                wait()
            if kind == "rude":
                say({"type": "action", "id": 1, "action": "pass"})
            say(HELLO | {"protocol": 2 if kind == "later" else 1} | HELLOS.get(kind, {}))
            if kind == "deaf":
                wait()
        elif message["type"] == "choose":
            answer(kind, message)
        elif message["type"] == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1])

"""Checks a commit's message: `area: imperative`, at most 72 characters, then a blank line.

    python tests/tools/commit_message.py FILE

A hook of pre-commit runs it on each message. Merges, reverts and fixups are accepted as they are.
"""

import re
import sys
from pathlib import Path

LONGEST = 72
"""Characters that a subject may have."""
SUBJECT = re.compile(r"[a-z][a-z0-9_/.-]*: (?P<verb>[a-z][\w-]*)\b")
GENERATED = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")
"""How subjects begin that git writes."""
NO_VERBS = ("the", "a", "an", "all", "more", "new", "some", "now", "this", "it", "we")
_NOT_IMPERATIVE = re.compile(r"(?<!e)ed$|(?<!br)(?<!spr)(?<!str)(?<!w)ing$|(?<![su])s$")
_IMPERATIVE = ("embed", "shed", "process", "focus", "canvas", "alias", "bias")
"""Imperatives that end as other forms do."""


def problem_of(message: str) -> str | None:
    """Return what is wrong with a message, in one sentence; None if nothing is."""
    lines = [line for line in message.splitlines() if not line.startswith("#")] or [""]
    subject = lines[0]
    if subject.startswith(GENERATED):
        return None
    found = SUBJECT.match(subject)
    if not found:
        return f"the subject must look like 'engine: award points once', not {subject!r}"
    if len(subject) > LONGEST:
        return f"the subject has {len(subject)} characters, at most {LONGEST} are allowed"
    verb = found["verb"]
    if verb in NO_VERBS or (_NOT_IMPERATIVE.search(verb) and verb not in _IMPERATIVE):
        return f"the subject must begin with an imperative such as 'add', not {verb!r}"
    if subject.endswith("."):
        return "the subject must not end in a full stop"
    if len(lines) > 1 and lines[1].strip():
        return "the line below the subject must be blank"
    return None


if __name__ == "__main__":
    problem = problem_of(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.exit(f"commit message: {problem}" if problem else 0)

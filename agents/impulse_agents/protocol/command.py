"""The command in the name of an agent: ``cmd:./my_bot --fast``."""

import hashlib
import json
import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from impulse_agents.base import AgentError

KIND: Final = "cmd"
"""The part of the name before the colon."""


def is_command(name: str) -> bool:
    """Whether the name of an agent is a command, which starts a program."""
    return name.partition(":")[0] == KIND


def words_of(command: str) -> list[str]:
    """Return the words of a command, split as a POSIX shell does; no shell reads them.

    Raises:
        AgentError: The quotes are wrong, or there is no such program.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise AgentError(f"{KIND}:{command} is not a command: {error}") from error
    if not words or not words[0]:
        raise AgentError(f"{KIND}: is followed by a command, such as {KIND}:./my_bot --fast")
    if shutil.which(words[0]) is None:
        is_file = os.path.isfile(words[0])
        why = "it is not executable" if is_file else "there is no such program"
        raise AgentError(f"{KIND}:{command} cannot be started: {why}: {words[0]}")
    return words


def files_of(name: str) -> dict[str, Path]:
    """Return the files that the command in a name consists of, by their words.

    These are the program itself, unless it is a name that the system looks up, and all arguments
    that are regular files.
    """
    program, *arguments = words_of(name.partition(":")[2])
    named = [program] * (os.path.basename(program) != program) + arguments
    return {word: Path(word) for word in named if os.path.isfile(word)}


def with_files(name: str, moved: Mapping[str, Path]) -> str:
    """Return a name with files in other places, by their words."""
    words = shlex.split(name.partition(":")[2])
    return f"{KIND}:{shlex.join(str(moved.get(word, word)) for word in words)}"


def digest_of(name: str) -> str:
    """Return the SHA-256 of a command, in hexadecimal; of files only the content counts.

    Raises:
        AgentError: The command is wrong, or a file cannot be read.
    """
    words = words_of(name.partition(":")[2])
    try:
        files = {word: _digest_of_file(path) for word, path in files_of(name).items()}
    except OSError as error:
        raise AgentError(f"a file of {name} cannot be read: {error}") from error
    parts = [{"file": files[word]} if word in files else word for word in words]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _digest_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

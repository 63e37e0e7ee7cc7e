"""Verification of claims: runs each command in its own process, the cheapest claim first."""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from impulse_agents.checkpoints import path_of
from impulse_env.files import write_atomically
from impulse_env.schema import checked
from impulse_training.evaluation.claims.claims import Claim, ClaimError
from impulse_training.evaluation.claims.estimate import Estimate, difference
from impulse_training.evaluation.claims.sources import SourceError, estimate_in

RESULTS: Final = "results.json"
_PROGRAM: Final = (sys.executable, "-m", "impulse_training.cli")
_PATIENCE: Final = 60.0
"""Seconds that an interrupted command has to save its results."""


@dataclass(frozen=True)
class Measurement:
    """A claim that was measured again.

    Attributes:
        id: Id of the claim.
        digest: Digest of the claim, its command and the seed; a changed claim is measured again.
        new: The measured value; None if the command failed.
        failure: Why the command failed, in a sentence; empty if it did not.
        minutes: Processor time of the command in minutes; None if the system does not report it.
    """

    id: str
    digest: str
    new: Estimate | None
    failure: str
    minutes: float | None


@dataclass(frozen=True)
class Verdict:
    """Comparison of a second measurement with a claim.

    Attributes:
        claim: The claim.
        measurement: The second measurement.
        distance: The difference in its standard errors; None if an interval is missing.
        agrees: Whether the two agree; None if the value depends on the machine, so that they
            cannot be compared.
    """

    claim: Claim
    measurement: Measurement
    distance: float | None
    agrees: bool | None

    @classmethod
    def of(cls, claim: Claim, measurement: Measurement, limit: float) -> "Verdict":
        """Compare: two estimates disagree if they are more than `limit` standard errors apart.

        Values without an interval depend on the seed only, or on no random numbers. They agree if
        they are equal in the digits that pages show.
        """
        new = measurement.new
        if new is None:
            return cls(claim, measurement, None, False)
        distance = difference(claim.estimate, new)
        if claim.depends_on_machine:
            return cls(claim, measurement, distance, None)
        if distance is None:
            return cls(claim, measurement, None, new.text(claim.digits) == claim.shown)
        return cls(claim, measurement, distance, abs(distance) <= limit)


class StoredMeasurements:
    """The stored measurements with one seed, in a folder.

    Args:
        folder: Folder of the results and of the commands' files.

    Raises:
        ClaimError: The file of results in the folder is not valid.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / RESULTS
        self._found: dict[str, Measurement] = {}
        try:
            # Not `read_json`: an interval without a limit has an infinite end.
            rows = checked(json.loads(self._path.read_bytes()), list[Measurement])
        except FileNotFoundError:
            return
        except (ValueError, RecursionError) as error:
            raise ClaimError(f"{self._path} does not hold results of claims: {error}") from error
        self._found = {row.id: row for row in rows}

    def of(self, claim: Claim, seed: int) -> Measurement | None:
        """Return the measurement of an unchanged claim; None if there is none, or it failed."""
        found = self._found.get(claim.id)
        is_good = found is not None and found.new is not None
        return found if is_good and found and found.digest == _digest(claim, seed) else None

    def forget(self) -> None:
        """Remove all measurements and all files of the commands."""
        self._found = {}
        self._path.unlink(missing_ok=True)
        shutil.rmtree(self.work, ignore_errors=True)

    @property
    def work(self) -> Path:
        """The folder where the commands run."""
        return self.folder / "work"

    def add(self, measurement: Measurement) -> None:
        """Store a measurement; it replaces an earlier one of the same claim."""
        self._found[measurement.id] = measurement
        rows = [asdict(row) for row in self._found.values()]
        write_atomically(self._path, json.dumps(rows, indent=1) + "\n")


def planned(
    claims: list[Claim], minutes: float | None, is_done: Callable[[Claim], bool]
) -> list[Claim]:
    """Return the claims to verify, in the same order.

    Args:
        claims: The claims, the cheapest first.
        minutes: Limit of their total cost in minutes, without claims that are done; None for no
            limit. With a limit, claims of unknown cost are left out.
        is_done: Returns whether a claim was measured already.

    Raises:
        ClaimError: No claim can be measured in this time, or none by a command.
    """
    able = [claim for claim in claims if not claim.by_hand]
    if not able:
        raise ClaimError(f"{claims[0].id} cannot be verified by this command: {claims[0].by_hand}")
    if minutes is None:
        return able
    found: list[Claim] = []
    left, paid = minutes, set()
    for claim in able:
        # A command that measures several claims runs once.
        cost = 0.0 if is_done(claim) or _key(claim) in paid else claim.minutes
        if cost is not None and cost <= left:
            found.append(claim)
            left -= cost
            paid.add(_key(claim))
    if not found:
        first = able[0]
        needs = "an unknown time" if first.minutes is None else f"{first.minutes:g}"
        raise ClaimError(
            f"no claim takes {minutes:g} minutes or less: the cheapest, {first.id}, takes {needs}"
        )
    return found


def measure(claim: Claim, folder: Path, seed: int) -> Measurement:
    """Run the command of a claim and read its value; a failure is part of the result.

    Args:
        claim: The claim.
        folder: Folder in which the command gets its own folder. With the files there, the same
            command continues later, and its output is read again for other claims.
        seed: Seed that replaces the claim's seed.

    Raises:
        ClaimError: The command cannot be run with another seed.
        KeyboardInterrupt: Ctrl-C, once the command has ended.
    """
    folder = folder / _key(claim)
    folder.mkdir(parents=True, exist_ok=True)
    before, digest = _processor_seconds(), _digest(claim, seed)
    output, failure = folder / "output.json", ""
    if not output.exists():
        failure = _run(command_of(claim, folder, seed), output)
    found = None
    if not failure:
        try:
            text = output.read_text(encoding="utf-8")
            found = estimate_in(text, claim.at, claim.low_at, claim.high_at, claim.factor)
        except SourceError as error:
            failure = str(error)
    after = _processor_seconds()
    spent = None if before is None or after is None else (after - before) / 60
    return Measurement(claim.id, digest, found, failure, spent)


def command_of(claim: Claim, folder: Path, seed: int) -> list[str]:
    """Return the command line that verifies a claim.

    It is the claim's command with `--json`, another seed, and a copy of the checkpoint that it
    changes.

    Raises:
        ClaimError: The command does not begin with `impulse`.
    """
    program, *words = shlex.split(claim.command)
    if program != "impulse":
        raise ClaimError(
            f"the command of the claim {claim.id} must begin with impulse, not {program}"
        )
    if claim.copy:
        target = folder / path_of(claim.copy).name
        if not target.exists():
            shutil.copyfile(path_of(claim.copy), target)
        # The name is a whole word, as 2p, or a part of one, as policy+search:2p:100.
        name = re.compile(rf"(?<![^:]){re.escape(claim.copy)}(?![^:])")
        words = [name.sub(lambda _: str(target.resolve()), word) for word in words]
    if claim.seed is not None:
        if "--seed" in words:
            place = words.index("--seed")
            del words[place : place + 2]
        words += ["--seed", str(seed)]
    return [*_PROGRAM, *words, "--json"]


def _run(command: list[str], output: Path) -> str:
    """Run a command in the folder of its output file; return why it failed, or an empty text."""
    part, log = output.with_suffix(".part"), output.with_name("log.txt")
    with open(part, "wb") as out, open(log, "wb") as err:
        # In its own session: otherwise Ctrl-C would reach it twice, and it would not save.
        process = subprocess.Popen(
            command,
            cwd=output.parent,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
            raise
        finally:
            process.kill()
            process.wait()
    # Status 1 means that a command missed its own bound; it has still printed its result.
    if code not in (0, 1):
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"it ended with {code}: {said[-1] if said else 'no message'}"
    part.replace(output)
    return ""


def _key(claim: Claim) -> str:
    """Return a key of the command; claims of the same command share it."""
    return hashlib.sha256(claim.command.encode()).hexdigest()[:12]


def _digest(claim: Claim, seed: int) -> str:
    """Return a digest that changes with the value, command, path, factor or seed of a claim."""
    said = [claim.command, claim.shown, claim.at, claim.factor, seed]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


def _processor_seconds() -> float | None:
    """Return the processor time of ended child processes, in seconds; None on Windows."""
    times = os.times()
    return None if os.name == "nt" else times.children_user + times.children_system


class Clock:
    """A time limit that starts now.

    Args:
        minutes: The limit in minutes; None for no limit.
    """

    def __init__(self, minutes: float | None) -> None:
        self._minutes, self._began = minutes, monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the time has passed."""
        return self._minutes is not None and monotonic() - self._began > 60 * self._minutes

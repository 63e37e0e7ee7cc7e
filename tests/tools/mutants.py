"""Mutation testing of the engine: small changes of its source, each of which should be noticed.

    python tests/tools/mutants.py [--sample N] [--retry] [--report]

Cosmic Ray makes the changes and keeps the session, a file in runs/mutation; `mutant.py` says what
it takes to notice one. An interrupted run continues where it was; when a module has changed,
its mutants are examined again. The mutants come in a random order of a fixed seed, so whatever has
been examined is a random sample of them all. Changes that change nothing are listed, with the
reason, in tests/env/engine/equivalent_mutants.toml.
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from multiprocessing import connection

# The mutants are processes that begin as a copy of this one, with the libraries loaded.
os.environ["NUMBA_DISABLE_JIT"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gymnasium  # noqa: F401
import numba  # noqa: F401
import pettingzoo  # noqa: F401
import scipy.stats
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

from mutant import SURVIVED, examine, measure
from mutation_session import (
    FOLDER,
    SESSION,
    TREE,
    change_of,
    equivalents,
    mutants,
    mutated,
    refresh,
    without,
)

WORKERS = 2
DEADLINE = 900
"""Seconds after which a mutant that only waits is ended."""


# --- Examining --------------------------------------------------------------------------------


def start(target, *arguments, number=0):
    """Start a process for `target`; return it and where its answer arrives."""
    answers, sender = multiprocessing.Pipe(duplex=False)
    words = (TREE, *arguments, sender, FOLDER / f"log-{number}.txt")
    process = multiprocessing.get_context("fork").Process(target=target, args=words)
    process.start()
    sender.close()
    return process, answers


def answer_of(process, answers):
    """Return the answer of a process, None if it has ended without one."""
    try:
        return answers.recv()
    except EOFError:
        return None
    finally:
        process.join()
        answers.close()


def measure_baseline():
    """Play and test the engine as it is: what mutants are compared with."""
    print("Playing and testing the engine as it is.", flush=True)
    noticed, baseline = answer_of(*start(measure)) or ("the process has ended", {})
    if noticed:
        sys.exit(f"error: without any change already: {noticed}; see {FOLDER / 'log-0.txt'}")
    seconds = baseline["seconds"]
    print(
        f"{len(baseline['games'])} games in {sum(s for _, s in baseline['games']):.1f} s, "
        f"{len(seconds)} tests in {sum(seconds.values()):.0f} s",
        flush=True,
    )
    return baseline


def selected(mutation, baseline):
    """Return the games and tests that call the changed function; all for other changes.

    What is called while modules are imported fills tables, which any test may read.
    """
    name = f"{mutation.module_path}:{mutation.definition_name}"
    called, seconds = baseline["called"], baseline["seconds"]
    if mutation.definition_name is None or name in baseline["imported"]:
        return baseline
    return {
        "games": baseline["games"] if name in baseline["played"] else [],
        "seconds": {test: seconds[test] for test in seconds if name in called[test]},
    }


def examine_all(database, todo, baseline):
    """Examine the mutants, so many at a time, and keep each result at once."""
    progress, waiting, running = Progress(len(todo)), list(reversed(todo)), {}
    free, listed = list(range(WORKERS)), equivalents()
    while waiting or running:
        while waiting and free:
            item = waiting.pop()
            if not without([item], listed):
                progress.count("listed")
                continue
            mutation, number = item.mutations[0], free.pop()
            module = str(mutation.module_path)
            source = mutated(mutation)[1]
            process, answers = start(
                examine, module, source, selected(mutation, baseline), number=number
            )
            running[process.sentinel] = item, number, process, answers, time.monotonic()
        for ended in connection.wait(list(running), timeout=1):
            item, number, process, answers, _ = running.pop(ended)
            noticed = answer_of(process, answers) or f"ended with {process.exitcode}"
            outcome = TestOutcome.SURVIVED if noticed == SURVIVED else TestOutcome.KILLED
            database.set_result(
                item.job_id,
                WorkResult(WorkerOutcome.NORMAL, output=noticed, test_outcome=outcome),
            )
            free.append(number)
            progress.count(noticed)
        for _, _, process, _, since in running.values():
            if time.monotonic() - since > DEADLINE:
                process.kill()


class Progress:
    """Says now and then how many are done, how quickly, and how long it will take."""

    def __init__(self, total):
        self.total, self.done, self.survived = total, 0, 0
        self.since = self.told = time.monotonic()

    def count(self, noticed):
        self.done += 1
        self.survived += noticed == SURVIVED
        now = time.monotonic()
        if now - self.told < 10 and self.done < self.total:
            return
        self.told = now
        rate = self.done / (now - self.since)
        left = (self.total - self.done) / rate
        print(
            f"{self.done} of {self.total} mutants, {self.survived} survived, "
            f"{rate:.2f} a second, {left / 60:.0f} min left",
            flush=True,
        )


# --- What came of it --------------------------------------------------------------------------


def report(items, results):
    """Print the score and each survivor; what is listed as equal to the original is left out."""
    meant = without([item for item in items if item.job_id in results], equivalents())
    done = [(item.mutations[0], results[item.job_id]) for item in meant]
    survivors = [mutation for mutation, result in done if is_survivor(result)]
    for mutation in sorted(survivors, key=lambda m: (str(m.module_path), m.start_pos)):
        module, was, now = change_of(mutation)
        print(f"{module}:{mutation.start_pos[0]} {mutation.definition_name}")
        print(f"  - {was}\n  + {now}")
    killed = Counter(_killer(result.output) for _, result in done if not is_survivor(result))
    print(
        f"{len(done)} of {len(items)} mutants examined, without those listed as equal to the "
        f"original; {killed.total()} noticed: {dict(killed)}"
    )
    if done:
        score = scipy.stats.binomtest(killed.total(), len(done))
        interval = score.proportion_ci(method="wilson")
        print(f"score {score.statistic:.2%} (95 %: {interval.low:.2%} to {interval.high:.2%})")


def is_survivor(result):
    """Whether nothing noticed the mutant with that result."""
    return result.test_outcome == TestOutcome.SURVIVED


def _killer(output):
    if output.startswith("ended"):
        return "endless or crashed"
    return "games" if output.startswith("game ") else "tests"


def main(words):
    """Continue the session, or begin one, and report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sample", type=int, help="stop after so many mutants of the order")
    parser.add_argument(
        "--retry", action="store_true", help="examine survivors again, first of all"
    )
    parser.add_argument("--report", action="store_true", help="only tell what came of it so far")
    args = parser.parse_args(words)
    if args.report and not SESSION.exists():
        sys.exit(f"error: {FOLDER} has no session yet; run without --report to begin one")
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not args.report:
        refresh()
    with use_db(SESSION, WorkDB.Mode.open) as database:
        items = mutants(database)[: args.sample]
        if not args.report:
            go_on(database, items, args.retry)
        report(items, dict(database.results))


def go_on(database, items, retry):
    """Examine the mutants that have no result, after the survivors if they are to be tried again.

    Those that are listed as equal to the original are not examined.
    """
    results = dict(database.results)
    todo = [item for item in items if item.job_id not in results]
    print(f"{len(items) - len(todo)} of {len(items)} mutants are done.", flush=True)
    if retry:
        done = [item for item in items if item.job_id in results]
        todo = [item for item in done if is_survivor(results[item.job_id])] + todo
    try:
        examine_all(database, todo, measure_baseline())
    except KeyboardInterrupt:
        print("Interrupted; the same command continues.")


if __name__ == "__main__":
    main(sys.argv[1:])

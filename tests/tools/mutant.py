"""One mutant of the engine in a process of its own: does a game or a test notice it?

The games come first, because they are quick: random games must have the same bytes after every
step as with the source as it is. Then those tests of the engine run that call the changed
function, until one fails, those of the changed module first, the others quickest first. Whatever
takes ten times as long as it should has lost its way in an endless loop, which is noticed as well.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import time
from pathlib import Path

import pytest

GAMES = 16
"""About three seconds of random games, two with each of the options of the signature."""
TESTS = ("tests/env/engine", "tests/env/testing/test_playthroughs.py")
ELSEWHERE = (
    # They start processes of their own, which a change of this process does not reach.
    "tests/env/engine/test_differential.py",
    "tests/env/engine/test_added_effect.py",
)
TOO_LONG = (
    # Minutes without the compiler, and random games once more.
    "tests/env/engine/test_invariants.py::test_invariants_hold_at_every_decision_of_random_games",
    "tests/env/engine/test_invariants.py::test_thousands_of_playouts_end_with_every_card_in_one_place",
)
PATIENCE = 10
"""How many times its own time a game or a test may take."""
LEAST_SECONDS = 5
BEFORE_AND_AFTER = 120
"""Seconds for pytest to collect the tests, and to tidy up after the last."""
MEMORY = 6 << 30
"""Bytes that a mutant may ask for."""

SURVIVED = "survived"


class _Mutated(importlib.machinery.SourceFileLoader):
    """Loads a module from a changed source, and nothing of it from a cache."""

    def __init__(self, name, path, source):
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname):
        return compile(self._source, self.path, "exec", dont_inherit=True)


class Finder(importlib.abc.MetaPathFinder):
    """Finds one module changed; all others are left to whoever else looks."""

    def __init__(self, name, path, source):
        self._name, self._path, self._source = name, str(path), source

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self._name:
            return None
        loader = _Mutated(fullname, self._path, self._source)
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


class Calls:
    """Which functions of the engine are called, as ``path:name``."""

    def __init__(self, tree):
        self._prefix, self._known, self.seen = f"{tree}/", {}, set()

    def start(self):
        sys.setprofile(self._note)

    def stop(self):
        sys.setprofile(None)

    def _note(self, frame, event, argument):
        if event == "call":
            code = frame.f_code
            if code not in self._known:
                path = code.co_filename.removeprefix(self._prefix)
                is_engine = path.startswith("impulse_env/engine/")
                self._known[code] = f"{path}:{code.co_name}" if is_engine else None
            self.seen.add(self._known[code])

    def take(self):
        """Return what was called since the last time."""
        taken, self.seen = sorted(self.seen - {None}), set()
        return taken


class Tests:
    """A pytest plugin: the order of the tests, a limit for each, and what came of them."""

    def __init__(self, module, baseline, calls):
        self.first, self.calls = f"test_{Path(module).stem}.py", calls
        self.expected = baseline["seconds"] if baseline else {}
        self.seconds, self.called, self.failed = {}, {}, ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        if self.expected:
            items[:] = [item for item in items if item.nodeid in self.expected]
        items.sort(
            key=lambda item: (item.path.name != self.first, self.expected.get(item.nodeid, 0))
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        _limit(self.expected.get(item.nodeid, 60))
        if self.calls:
            self.calls.start()
        result = yield
        if self.calls:
            self.calls.stop()
            self.called[item.nodeid] = self.calls.take()
        return result

    def pytest_sessionfinish(self):
        _limit(BEFORE_AND_AFTER)

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report):
        if report.failed and not self.failed:
            self.failed = report.nodeid


def _limit(seconds):
    """Let the processor work for so long and some more; then the process is ended."""
    signal.setitimer(signal.ITIMER_VIRTUAL, max(LEAST_SECONDS, PATIENCE * seconds))


def _play(expected, calls):
    """Return what is wrong with the games, if anything, and their digests and seconds."""
    found = []
    _limit(LEAST_SECONDS)
    try:
        from impulse_env.testing.signature import traces

        if calls:
            calls.start()
        games = traces(GAMES)
        for number in range(GAMES):
            _limit(expected[number][1] if expected else 60)
            start = time.process_time()
            digest = next(games)
            found.append((digest, time.process_time() - start))
            if expected and digest != expected[number][0]:
                return f"game {number} plays otherwise", found
    except Exception as error:
        return f"game {len(found)}: {type(error).__name__}: {error}", found
    finally:
        sys.setprofile(None)
    return "", found


def _test(module, baseline, calls):
    """Return the first test that fails, if any, and the plugin that knows the rest."""
    tests = Tests(module, baseline, calls)
    words = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow", "--tb=no"]
    words += [f"--ignore={path}" for path in ELSEWHERE]
    words += [f"--deselect={name}" for name in TOO_LONG]
    paths = sorted({name.split("::")[0] for name in tests.expected}) or TESTS
    _limit(BEFORE_AND_AFTER)
    code = pytest.main([*words, *paths], plugins=[tests])
    return tests.failed or (f"pytest ended with {int(code)}" if code else ""), tests


def _enter(tree, log):
    """Make this process one that tests that checkout, within limits and without a word."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.chdir(tree)
    sys.path[:0] = [str(tree / folder) for folder in ("", "agents", "training")]


def measure(tree, answers, log):
    """Play and test the source as it is, in a fresh process.

    Args:
        tree: The checkout that is tested.
        answers: A connection that gets ``(noticed, baseline)``: what failed, and the digests and
            seconds of the games, the seconds of each test, and which functions each calls.
        log: A file for what would be printed.
    """
    _enter(tree, log)
    calls = Calls(tree)
    calls.start()
    importlib.import_module("impulse_env")
    calls.stop()
    imported = calls.take()
    wrong, _ = _play(None, calls)
    played = calls.take()
    # Once more without being watched, for the time it takes.
    wrong, games = _play(None, None) if not wrong else (wrong, [])
    noticed, tests = (wrong, Tests("", None, None)) if wrong else _test("", None, calls)
    baseline = {"games": games, "seconds": tests.seconds}
    baseline |= {"imported": imported, "played": played, "called": tests.called}
    answers.send((noticed, baseline))


def examine(tree, module, source, baseline, answers, log):
    """Play and test with `module` changed to `source`, in a fresh process.

    Args:
        tree: The checkout that is tested.
        module: The changed file's path in it.
        source: Its new text.
        baseline: What the unchanged source gave, the tests being those to run.
        answers: A connection that gets by what it was noticed, `SURVIVED` if by nothing.
        log: A file for what would be printed.
    """
    _enter(tree, log)
    name = ".".join(Path(module).with_suffix("").parts)
    sys.meta_path.insert(0, Finder(name, tree / module, source))
    noticed = _play(baseline["games"], None)[0] if baseline["games"] else ""
    if not noticed and baseline["seconds"]:
        noticed = _test(module, baseline, None)[0]
    answers.send(noticed or SURVIVED)

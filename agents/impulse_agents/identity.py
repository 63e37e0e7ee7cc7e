"""The identity of an agent: agents with the same identity give the same answers.

`identity_of` makes a digest of parts, each a text:

    agent         its kind; for an agent named by module or file, its class and arguments
    rules         digest of the sources of rules and observations
    code          digest of the sources that decide, see below
    identity      replaces ``code`` if the class declares it, see `Agent.identity`; for a program,
                  the digest of its command and its files
    version       as its class declares it, see `Agent.version`
    distribution  the installed package of an entry point, with its version
    weights       for a trained agent: digest of its network's weights
    calibration   for a search that uses the network's values: their calibration
    search        for a search with a network: its budget and its settings

The rules are the engine, the observation, and the modules that step games and give rewards
(`_RULES_PLACES`). For this project's agents, ``code`` covers the folder of the class and the
modules that all agents share (`_SHARED`). A search also covers heuristics and networks, because it
calls them.

For another author's agent, ``code`` covers the whole package of its class, or its file, with all
imports that are not installed. It also covers the folders named above, because the agent may call
them. So a change in one of these folders changes the identity of all agents in it.

The location of files and the machine make no difference. Budgets in seconds, versions of libraries,
and files that another author's agent reads are not part of the identity.
"""

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import impulse_env
from impulse_agents import plugins, registry
from impulse_agents.base import Agent, AgentError
from impulse_agents.checkpoints import checkpoint_in
from impulse_agents.protocol.command import is_command

PROJECT: Final = ("impulse_env", "impulse_agents", "impulse_table", "impulse_training")
_INSTALLED: Final = frozenset(("site-packages", "dist-packages"))
"""Names of folders that contain installed libraries."""
_SUFFIXES: Final = (".py", ".so", ".pyd")
_MOST_DATA: Final = 1 << 20
"""Largest size of a data file in bytes; larger files are not tables of a program."""


class _Read(NamedTuple):
    """A parsed module: its digest, the modules that it imports, and strings that may name files."""

    digest: str
    imported: frozenset[str]
    names: frozenset[str]


def sources_digest(files: Mapping[str, Path]) -> str:
    """Return the SHA-256 of source files, in hexadecimal.

    The same code has the same digest on another machine and in another folder.

    Args:
        files: Files by name; the names are part of the digest.

    Raises:
        OSError: One of the files cannot be read.
    """
    lines = [f"{name} {_digest(path)}\n" for name, path in sorted(files.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def files_in(place: Path, name: str) -> dict[str, Path]:
    """Return the sources in and below a folder by name; for a file, the file itself."""
    if not place.is_dir():
        return {name: place}
    sources = (path for path in place.rglob("*") if path.suffix in _SUFFIXES)
    return {f"{name}/{path.relative_to(place).as_posix()}": path for path in sources}


def files_behind(places: Mapping[str, Path]) -> dict[str, Path]:
    """Return the sources of packages and modules by name, together with their imports.

    Imports of this project and of installed libraries are left out.

    Args:
        places: Folders of packages, and files of modules, by name.
    """
    sources: dict[str, Path] = {}
    waiting = list(places.items())
    while waiting:
        name, place = waiting.pop()
        new = {key: path for key, path in files_in(place, name).items() if key not in sources}
        sources |= new
        for top in {top for path in new.values() for top in _read(path).imported}:
            near = _place_of(top, place.parent)
            waiting += [] if near is None else [(top, near)]
    return sources


def package_of(file: Path) -> Path:
    """Return the top folder of a module's package; for a module outside packages, its file."""
    place = file
    while (place.parent / "__init__.py").is_file():
        place = place.parent
    return place


def _place_of(top: str, folder: Path) -> Path | None:
    """Return the package or file that a name imports in a folder; None if it does not count."""
    if top in PROJECT:
        return None
    beside = (folder / top, folder / f"{top}.py") if _is_own(folder) else ()
    for near in beside:
        if near.is_file() or (near / "__init__.py").is_file():
            return near
    try:
        spec = None if top in sys.stdlib_module_names else find_spec(top)
    except (ImportError, AttributeError, ValueError):
        return None
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return None
    file = Path(spec.origin)
    return package_of(file) if _is_own(file) else None


def _is_own(place: Path) -> bool:
    """Whether a place is outside the folders of installed libraries."""
    return _INSTALLED.isdisjoint(place.parts)


# --- One file -------------------------------------------------------------------------------------


def _read(path: Path) -> _Read:
    return _read_text(path.read_bytes())


@cache
def _read_text(content: bytes) -> _Read:
    """Parse a module; a file that is not Python source counts by its bytes and imports nothing."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return _Read(hashlib.sha256(content).hexdigest(), frozenset(), frozenset())
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return _Read(
        hashlib.sha256(repr(_plain(tree)).encode()).hexdigest(),
        frozenset(_imports(tree)),
        frozenset(text for text in texts if isinstance(text, str) and "." in text),
    )


def _digest(file: Path) -> str:
    """Return the digest of a module with the data files that it names."""
    digest = hashlib.sha256(_read(file).digest.encode())
    for path in sorted(file.parent.iterdir()):
        if path.name in _read(file).names and path.is_file():
            if path.stat().st_size <= _MOST_DATA:
                digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _plain(node: Any) -> Any:
    """Return a syntax tree as tuples, without positions, docstrings and empty fields.

    Empty fields are left out because a newer Python has more of them.
    """
    if isinstance(node, list):
        return tuple(_plain(part) for part in node if not _is_docstring(part))
    if not isinstance(node, ast.AST):
        return node
    fields = (
        (name, _plain(value))
        for name, value in ast.iter_fields(node)
        if value is not None and value != [] and name not in ("ctx", "kind", "type_comment")
    )
    return (type(node).__name__, *fields)


def _is_docstring(node: Any) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the top-level packages and modules that a module imports by absolute imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


_SHORT: Final = 12
_AGENTS: Final = Path(__file__).parent
_RULES: Final = Path(impulse_env.__file__).parent
_RULES_PLACES: Final = (
    *("engine", "observation", "environments/rewards.py", "actions.py", "arguments.py"),
    *("batch.py", "frame.py", "game.py", "information.py", "options.py", "outcomes.py"),
)
_SHARED: Final = ("base.py", "calibration.py", "rng.py", "selection.py")
_DECIDING: Final = ("heuristics", "network", "search")
"""The folders of code that decides; the last one calls the others."""
_LIBRARIES: Final = ("numpy", "torch")
_BY_PATH: Final = "<file>"
"""Stands for the path of a module named by its file: a copy elsewhere is the same."""


@dataclass(frozen=True)
class Identity:
    """The identity of an agent.

    Attributes:
        agent: The name that created it.
        parts: The parts of the identity, each a text; see the module.
    """

    agent: str
    parts: dict[str, str]

    @property
    def digest(self) -> str:
        """The SHA-256 of the parts, without the name, in hexadecimal."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()

    @property
    def short(self) -> str:
        """The start of the digest, for people."""
        return self.digest[:_SHORT]


def identity_of(agent: Agent) -> Identity:
    """Return the identity of an agent that `impulse_agents.make` has created.

    Raises:
        AgentError: Its sources cannot be read, or its class declares something other than a text.
    """
    try:
        code = {"code": sources_digest(_code(agent))} if not agent.identity else {}
        rules = sources_digest(_sources(_RULES, _RULES_PLACES))
        parts = {"agent": _kind(agent.name), "rules": rules, **code, **_declared(agent)}
    except OSError as error:
        raise AgentError(f"the sources of {agent.name} cannot be read: {error}") from error
    kind = agent.name.partition(":")[0]
    if (package := plugins.distribution_of(registry.GROUP, kind)) and kind not in registry.KINDS:
        parts["distribution"] = package
    return Identity(agent.name, parts | _of_network(agent))


def _kind(name: str) -> str:
    """Return the part of a name that determines the play, without the location of its file."""
    if checkpoint_in(name) is not None or is_command(name):
        return name.partition(":")[0]
    reference = plugins.read_reference(name)
    if reference is None or registry.code_file_of(name) is None:
        return name
    return ":".join(filter(None, [reference.name, reference.argument]))


def _declared(agent: Agent) -> dict[str, str]:
    """Return the parts that the class of an agent declares."""
    declared = {"identity": agent.identity, "version": agent.version}
    for key, value in declared.items():
        if not isinstance(value, str):
            raise AgentError(f"the {key} of {agent.name} must be a text, not {value!r}")
    return {key: value for key, value in declared.items() if value}


def _code(agent: Agent) -> dict[str, Path]:
    """Return the sources that decide, by name."""
    policy = getattr(agent, "policy", agent)
    network = type(getattr(policy, "network", None))
    classes = (*type(agent).__mro__, *type(policy).__mro__, *network.__mro__)
    modules = dict.fromkeys(one.__module__ for one in classes)
    reference = plugins.read_reference(agent.name) if registry.is_code(agent.name) else None
    if reference is not None and not reference.file:
        modules[reference.place] = None
    own = {name.split(".")[1] for name in modules if name.startswith(f"{_AGENTS.name}.")}
    foreign = _foreign(modules)
    if foreign or len(own.intersection(_DECIDING)) != 1 or _DECIDING[-1] in own:
        own.update(_DECIDING)
    places = [name if (_AGENTS / name).is_dir() else f"{name}.py" for name in own]
    return _sources(_AGENTS, [*_SHARED, *places]) | files_behind(foreign)


def _sources(package: Path, places: Iterable[str]) -> dict[str, Path]:
    """Return the modules at some places of a package, folders or modules, by name."""
    by_place = [files_in(package / name, f"{package.name}/{name}") for name in places]
    return {name: path for files in by_place for name, path in files.items()}


def _foreign(modules: Iterable[str]) -> dict[str, Path]:
    """Return the packages of another author's modules, or their files outside packages, by name."""
    places: dict[str, Path] = {}
    for name in modules:
        file = getattr(sys.modules.get(name), "__file__", None)
        top = name.partition(".")[0]
        if file is None or top in sys.stdlib_module_names or top in (*PROJECT, *_LIBRARIES):
            continue
        if name == "__main__" or name.startswith(plugins.FILE_MODULE):
            places[f"{_BY_PATH}{len(places)}"] = Path(file)
        else:
            place = package_of(Path(file))
            places[place.stem] = place
    return places


def _of_network(agent: Agent) -> dict[str, str]:
    """Return the parts of a trained agent; for others, none."""
    if checkpoint_in(agent.name) is None:
        return {}
    from impulse_agents.network.weights_file import weights_digest  # torch takes seconds to import

    policy: Any = getattr(agent, "policy", agent)
    made = {key: policy.config.get(key) for key in ("players", "network")}
    weights = weights_digest(policy.network.state_dict()) + json.dumps(made, sort_keys=True)
    parts = {"weights": hashlib.sha256(weights.encode()).hexdigest()}
    if policy is agent:
        return parts
    searching: Any = agent
    parts["search"] = f"{searching.budget} {searching.config[0].tolist()}"
    if searching.config["value_weight"][0] > 0:
        meaning = {**asdict(policy.fitted_calibration()), "leads": policy.has_score_reward}
        parts["calibration"] = json.dumps(meaning)
    return parts

"""What an agent was when it played: the same identity, the same answers to the same questions.

`identity_of` makes a digest of parts, each a text:

    agent         what kind it is; of one that is named by its place, the class, its arguments
    rules         digest of the sources of the rules, and of what a seat sees of them
    code          digest of the sources that decide, see below
    identity      stands for the code of an agent whose class declares one, see `Agent.identity`
    version       what its class declares, see `Agent.version`
    distribution  the installed package of an entry point, with its version
    weights       of a trained agent: digest of its network's weights
    calibration   of its search: what its values mean to it, where they are looked at
    search        how a search with a network goes about it, its budget first

The rules are the engine, the observation, what steps games and what they pay (`_RULES_PLACES`).
What decides is, of an agent of this project, the folder of its class and what all agents share
(`_SHARED`). A search counts the heuristics and the networks, too, since it asks them. Of anybody
else's agent it is the package of its class, whole, or its file, with whatever these import that is
not installed; and all of the folders just named, since it may ask those. So a change in one of
these folders renews all agents in it, and none is taken for what it was.

Where files lie makes no difference, nor what machine it is; budgets in seconds, versions of
libraries, and files that an agent of another author reads by itself are not told apart.
"""

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import impulse_env
from impulse_agents import plugins, registry
from impulse_agents.base import Agent, AgentError
from impulse_agents.checkpoints import checkpoint_in
from impulse_agents.sources import PROJECT, files_behind, files_in, package_of, sources_digest

_SHORT: Final = 12
_AGENTS: Final = Path(__file__).parent
_RULES: Final = Path(impulse_env.__file__).parent
_RULES_PLACES: Final = (
    *("engine", "observation", "environments/rewards.py", "actions.py", "arguments.py"),
    *("batch.py", "frame.py", "game.py", "information.py", "options.py", "outcomes.py"),
)
_SHARED: Final = ("base.py", "calibration.py", "rng.py", "selection.py")
_DECIDING: Final = ("heuristics", "network", "search")
"""The folders of what decides; the last asks the others."""
_LIBRARIES: Final = ("numpy", "torch")
_BY_PATH: Final = "<file>"
"""The name of a module that is named by its path: a copy elsewhere is the same."""


@dataclass(frozen=True)
class Identity:
    """What an agent was when it played.

    Attributes:
        agent: The name by which it was made.
        parts: What the identity is made of, a text each; see the module.
    """

    agent: str
    parts: dict[str, str]

    @property
    def digest(self) -> str:
        """The SHA-256 of the parts, in hexadecimal; the name is none of them."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()

    @property
    def short(self) -> str:
        """The beginning of the digest, for people."""
        return self.digest[:_SHORT]


def identity_of(agent: Agent) -> Identity:
    """Return the identity of an agent that `impulse_agents.make` has made.

    Raises:
        AgentError: Its sources cannot be read, or what its class declares is no text.
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
    """Return what of a name says how the agent plays: not where its file lies."""
    if checkpoint_in(name) is not None:
        return name.partition(":")[0]
    reference = plugins.read_reference(name)
    if reference is None or registry.code_file_of(name) is None:
        return name
    return ":".join(filter(None, [reference.name, reference.argument]))


def _declared(agent: Agent) -> dict[str, str]:
    """Return what the class of an agent says of itself."""
    said = {"identity": agent.identity, "version": agent.version}
    for key, value in said.items():
        if not isinstance(value, str):
            raise AgentError(f"the {key} of {agent.name} is a text, not {value!r}")
    return {key: value for key, value in said.items() if value}


def _code(agent: Agent) -> dict[str, Path]:
    """Return the sources that decide, by their names."""
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
    """Return the modules of a package in some folders, and some modules, by their names."""
    found = [files_in(package / name, f"{package.name}/{name}") for name in places]
    return {name: path for files in found for name, path in files.items()}


def _foreign(modules: Iterable[str]) -> dict[str, Path]:
    """Return the packages, and the files in none, of another author's modules, by name."""
    found: dict[str, Path] = {}
    for name in modules:
        file = getattr(sys.modules.get(name), "__file__", None)
        top = name.partition(".")[0]
        if file is None or top in sys.stdlib_module_names or top in (*PROJECT, *_LIBRARIES):
            continue
        if name == "__main__" or name.startswith(plugins.FILE_MODULE):
            found[f"{_BY_PATH}{len(found)}"] = Path(file)
        else:
            place = package_of(Path(file))
            found[place.stem] = place
    return found


def _of_network(agent: Agent) -> dict[str, str]:
    """Return the parts of a trained agent, none of any other."""
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

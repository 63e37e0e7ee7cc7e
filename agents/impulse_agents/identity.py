"""What an agent was when it played: the same identity, the same answers to the same questions.

`identity_of` makes a digest of parts, each a text:

    agent         what kind it is; of one that is named by its place, the class, its arguments
    rules         digest of the engine and of what steps games, see `impulse_agents.sources`
    code          digest of the modules of its class and of what they import
    identity      stands for the code of an agent whose class declares one, see `Agent.identity`
    version       what its class declares, see `Agent.version`
    distribution  the installed package of an entry point, with its version
    weights       of a trained agent: digest of its network's weights
    calibration   of its search: what its values mean to it, where they are looked at
    search        how a search with a network goes about it, its budget first

Where files lie makes no difference, nor what machine it is; budgets in seconds, versions of
libraries, and files that an agent of another author reads by itself are not told apart.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from impulse_agents import plugins, registry
from impulse_agents.base import Agent, AgentError
from impulse_agents.checkpoints import checkpoint_in
from impulse_agents.sources import Source, source_of, sources_digest

_SHORT: Final = 12
_RULES: Final = "impulse_env.batch"
"""What steps games; it imports the whole engine."""
_BY_PATH: Final = "<file>"
"""The name of a module that is named by its path: a copy elsewhere is the same."""
_NO_SOURCES: Final = ("builtins", "abc")


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
        code = {"code": sources_digest(_modules(agent))} if not agent.identity else {}
        parts = {"agent": _kind(agent.name), "rules": _rules_digest(), **code, **_declared(agent)}
    except OSError as error:
        raise AgentError(f"the sources of {agent.name} cannot be read: {error}") from error
    kind = agent.name.partition(":")[0]
    if (package := plugins.distribution_of(registry.GROUP, kind)) and kind not in registry.KINDS:
        parts["distribution"] = package
    return Identity(agent.name, parts | _of_network(agent))


def _rules_digest() -> str:
    rules = source_of(_RULES)
    assert rules is not None
    return sources_digest([rules])


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


def _modules(agent: Agent) -> Iterator[Source]:
    """Yield the modules of an agent's class, of its bases, and the one that it is named by."""
    reference = plugins.read_reference(agent.name) if registry.is_code(agent.name) else None
    named = [] if reference is None or reference.file else [reference.place]
    policy = getattr(agent, "policy", agent)
    network = type(getattr(policy, "network", None))
    classes = [*type(agent).__mro__, *type(policy).__mro__, *network.__mro__]
    for name in dict.fromkeys([*named, *(found.__module__ for found in classes)]):
        source = None if name in _NO_SOURCES or _is_library(name) else _source(name)
        if source is not None:
            yield source


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in ("torch", "numpy")


def _source(module: str) -> Source | None:
    """Return the file of a module, also of one that is named by its path, and of a script."""
    if module != "__main__" and not module.startswith(plugins.FILE_MODULE):
        return source_of(module)
    file = getattr(sys.modules.get(module), "__file__", None)
    return None if file is None else Source(_BY_PATH, Path(file))


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

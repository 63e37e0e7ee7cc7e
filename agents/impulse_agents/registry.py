"""Agents by name: the project's own, registered ones, and those of other authors.

A name is one of

    `greedy`                    one of the project's agents, see `names`
    `policy:runs/demo`          one of its kinds of agent, with its argument
    `policy:hf:OWNER/NAME`      a trained agent from the Hugging Face Hub, see
                                `impulse_agents.checkpoints`
    `cmd:./my_bot --fast`       a program in any language, see `impulse_agents.protocol`
    `NAME`, `NAME:ARGUMENT`     an agent that was given to `register`, or an entry point of the
                                group ``impulse.agents`` in an installed package
    `module:Class`              a class, a function that returns an agent, or an agent in a module
    `path/to/file.py:Class`     the same in a file; both also take ``:ARGUMENT``
"""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from impulse_agents import checkpoints, plugins
from impulse_agents.base import Agent, AgentError
from impulse_agents.heuristics.agent import RuleAgent
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.protocol.agent import ProgramAgent
from impulse_agents.protocol.command import KIND, is_command
from impulse_agents.search.agent import Budget, GreedyAgent, SearchAgent
from impulse_env.arguments import shown
from impulse_env.errors import did_you_mean
from impulse_env.extras import missing_extra
from impulse_env.records import mistaken
from impulse_env.records.record import PRINTABLE, is_printable

if TYPE_CHECKING:
    from impulse_agents.network.agent import PolicyAgent

GROUP: Final = "impulse.agents"
"""The group of entry points for agents in installed packages."""
RULE_BASED: Final = ("greedy", "core_rush", "warrior", "miner", "trader")
"""Names of the rule-based agents."""


@dataclass(frozen=True)
class Kind:
    """A kind of agent.

    Attributes:
        make: Creates one; takes the text after the colon, unless `argument` is empty.
        description: What it does, in a few words.
        argument: Pattern of the text after the colon, in capitals; empty: none.
    """

    make: Callable[..., Agent]
    description: str
    argument: str = ""


def _make_ismcts(argument: str) -> Agent:
    budget, _, playout = argument.partition(":")
    options = (playout,) if playout else ()
    return SearchAgent(f"ismcts:{argument}", Budget.read(budget), *options)


def _make_policy(checkpoint: str) -> "PolicyAgent":
    path = checkpoints.path_of(checkpoint)
    try:
        from impulse_agents.network.agent import PolicyAgent  # torch takes seconds to import
    except ImportError as error:
        raise missing_extra(f"policy:{checkpoint}", error) or error from error
    agent = PolicyAgent.load(path)
    checkpoints.check_card(path, agent.weights_digest())
    agent.name = f"policy:{checkpoint}"  # creates it again, even if the path differs
    return agent


def _make_policy_search(argument: str) -> Agent:
    checkpoint, _, budget = argument.rpartition(":")
    searching = Budget.read(budget)
    policy = _make_policy(checkpoint)
    from impulse_agents.search.network_agent import PolicySearchAgent

    return PolicySearchAgent(policy, searching)


_STYLES: Final = {
    "core_rush": "rushes to the Sector Core",
    "warrior": "hunts ships",
    "trader": "draws and trades big cards",
    "miner": "mines and refines",
}
KINDS: Final[dict[str, Kind]] = {
    "random": Kind(RandomAgent, "anything that is legal"),
    "greedy": Kind(GreedyAgent, "looks one step ahead"),
    **{name: Kind(partial(RuleAgent, name), style) for name, style in _STYLES.items()},
    "ismcts": Kind(_make_ismcts, "tree search", "BUDGET[:PLAYOUT]"),
    "policy": Kind(_make_policy, "trained network", "PATH"),
    "policy+search": Kind(_make_policy_search, "trained network that searches", "PATH:BUDGET"),
    KIND: Kind(ProgramAgent, "program in any language that speaks the protocol", "COMMAND"),
}
"""The project's own kinds of agent, by the part of the name before the colon."""

_BY_STRENGTH: Final = ("core_rush", "warrior", "greedy", "trader", "miner", "random")
_SEARCHES: Final = {
    "ismcts:1000": "tree search, strong",
    "ismcts:300": "tree search, good",
    "ismcts:100": "tree search, quick",
}
_SEARCH_BUDGETS: Final = (300, 100)
"""Simulations of the trained networks with search that a person can choose."""

_REGISTERED: Final[dict[str, Any]] = {}


def register(name: str, agent: Callable[..., Agent] | Agent) -> None:
    """Register an agent under a name in this process.

    Args:
        name: A free name without a colon.
        agent: An agent, a class, or a function that returns an agent. A class or function is
            called with the text after the name and a colon, or without arguments.

    Raises:
        AgentError: The name cannot be used.
    """
    if ":" in name or not name or name in KINDS:
        raise AgentError(f"an agent cannot be called {name!r}: it is taken, empty or has a colon")
    _REGISTERED[name] = agent


def names() -> list[str]:
    """Return the names that `make` accepts; replace words in capitals by your own.

    A BUDGET is a number of simulations, such as 1000, or seconds, such as 0.5s. A PATH is the path
    of a checkpoint, the name of a shipped one, or hf:OWNER/NAME. A COMMAND starts a program. `make`
    also accepts ``module:Class`` and ``file.py:Class``.
    """
    plain = [name for name, kind in KINDS.items() if not kind.argument]
    shipped = [f"policy:{name}" for name in checkpoints.shipped()]
    patterns = [f"{name}:{kind.argument}" for name, kind in KINDS.items() if kind.argument]
    return [*plain, *shipped, *patterns, *own_names()]


def own_names() -> list[str]:
    """Return the names of registered agents and of those in installed packages."""
    return [*_REGISTERED, *plugins.entry_point_names(GROUP)]


def choices() -> dict[str, str]:
    """Return agents for a person to choose from, with descriptions, the strongest first."""
    shipped = checkpoints.shipped()
    trained = {f"policy:{name}": KINDS["policy"].description for name in shipped}
    searching = {
        f"policy+search:{name}:{budget}": KINDS["policy+search"].description
        for name in shipped
        for budget in _SEARCH_BUDGETS
    }
    rules = {name: KINDS[name].description for name in _BY_STRENGTH}
    own = dict.fromkeys(own_names(), "an agent of another author")
    return trained | searching | _SEARCHES | rules | own


def make(name: str, allow_code: bool = True) -> Agent:
    """Return the agent of a name.

    Args:
        name: A name, see the module's docstring.
        allow_code: Whether to load a ``module:Class`` or ``file.py:Class``, which runs its code,
            to start a program, and to download a checkpoint from the hub. Use False for names that
            somebody else wrote.

    Raises:
        AgentError: The agent does not exist or cannot be created; the message suggests the nearest
            names. Or the name is not a short printable text, which records require.
        MissingExtraError: The agent needs a package that is not installed.
    """
    if not is_printable(name):
        raise AgentError(f"the name of an agent must be {PRINTABLE}, not {shown(name)}")
    kind, colon, argument = name.partition(":")
    known = KINDS.get(kind)
    if (
        known is not None
        and bool(argument) == bool(known.argument)
        and bool(colon) == bool(argument)
    ):
        if not allow_code and checkpoints.is_missing_from_hub(name):
            raise AgentError(
                f"{name} is on the hub; a name that a file contains never starts a download"
            )
        if not allow_code and is_command(name):
            raise AgentError(f"{name} is a program; a name that a file contains never starts one")
        return known.make(*filter(None, [argument]))
    if known is None and kind in _REGISTERED:
        return _built(name, _REGISTERED[kind], argument or None)
    if known is None and kind in plugins.entry_point_names(GROUP):
        return _built(
            name, _loaded(partial(plugins.load_entry_point, GROUP, kind)), argument or None
        )
    reference = plugins.read_reference(name)
    if known is None and reference is not None:
        if not allow_code:
            raise AgentError(f"{name} is code; a name that a file contains never runs code")
        try:
            loaded = _loaded(partial(plugins.load_reference, reference))
        except AgentError as error:
            is_there = reference.file is not None or find_spec(kind.partition(".")[0]) is not None
            near = "" if is_there else did_you_mean(kind, (*KINDS, *own_names()))
            raise AgentError(f"{error}{near}") from error
        return _built(name, loaded, reference.argument)
    if is_other := mistaken.told(name):
        raise AgentError(f"unknown agent {name!r}{is_other}")
    near = did_you_mean(name, names()) or did_you_mean(kind, (*KINDS, *own_names()))
    raise AgentError(f"unknown agent {name!r}{near or ';'} there are {', '.join(names())}")


def is_code(name: str) -> bool:
    """Whether an agent with this name runs other code: a module, a file or a program."""
    return is_command(name) or _reference_in(name) is not None


def code_file_of(name: str) -> Path | None:
    """Return the file of an agent's Python code if its name contains one, else None."""
    reference = _reference_in(name)
    return None if reference is None else reference.file


def code_package_of(name: str) -> str | None:
    """Return the top-level package of an agent's module if its name contains one, else None."""
    reference = _reference_in(name)
    if reference is None or reference.file is not None:
        return None
    return reference.place.partition(".")[0]


def _reference_in(name: str) -> plugins.Reference | None:
    """Return the reference of a ``module:Class`` or ``file.py:Class``, else None."""
    kind = name.partition(":")[0]
    return None if kind in KINDS or kind in own_names() else plugins.read_reference(name)


def _loaded(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except plugins.PluginError as error:
        raise AgentError(str(error)) from error


def _built(name: str, source: Any, argument: str | None) -> Agent:
    """Return the agent of an object: an agent, a class, or a function that returns one."""
    agent = source
    if not isinstance(source, Agent):
        if not callable(source):
            raise AgentError(
                f"{name} is of type {type(source).__name__}, neither an agent nor a function that "
                "returns one"
            )
        try:
            with redirect_stdout(sys.stderr):
                agent = source() if argument is None else source(argument)
        except AgentError:
            raise
        except (Exception, SystemExit) as error:
            message = " ".join(str(error).split())
            raise AgentError(
                f"{name} cannot be created: {type(error).__name__}: {message}"
            ) from error
    if not isinstance(agent, Agent):
        raise AgentError(
            f"{name} returns a {type(agent).__name__}; an agent must be derived from "
            "impulse_agents.Agent"
        )
    agent.name = name  # creates it again, also in another process
    return agent

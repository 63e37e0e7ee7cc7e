"""Agents by name: the project's own, registered ones, and those of other authors.

A name is one of

    greedy                      one of the project's agents, see `names`
    policy:runs/demo            one of its kinds of agent, with what stands for the capitals
    policy:hf:OWNER/NAME        a trained one of the Hugging Face Hub, `impulse_agents.checkpoints`
    NAME or NAME:ARGUMENT       one that was given to `register`, or an entry point of the group
                                ``impulse.agents`` of an installed package
    module:Class                a class, a function that makes an agent, or an agent in a module
    path/to/file.py:Class       the same in a file; both take ``:ARGUMENT`` as well
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
from impulse_agents.search.agent import Budget, GreedyAgent, SearchAgent
from impulse_env.arguments import shown
from impulse_env.errors import did_you_mean
from impulse_env.extras import missing_extra
from impulse_env.records import mistaken
from impulse_env.records.record import PRINTABLE, is_printable

if TYPE_CHECKING:
    from impulse_agents.network.agent import PolicyAgent

GROUP: Final = "impulse.agents"
"""The group of entry points under which installed packages offer agents."""
RULE_BASED: Final = ("greedy", "core_rush", "warrior", "miner", "trader")
"""Names of the rule-based agents."""


@dataclass(frozen=True)
class Kind:
    """A kind of agent.

    Attributes:
        make: Makes one, from what follows the colon if `argument` is not empty.
        description: What it does, in a few words.
        argument: What follows the colon, in capitals; empty: nothing.
    """

    make: Callable[..., Agent]
    description: str
    argument: str = ""


def _make_ismcts(argument: str) -> Agent:
    budget, _, playout = argument.partition(":")
    given = (playout,) if playout else ()
    return SearchAgent(f"ismcts:{argument}", Budget.read(budget), *given)


def _make_policy(checkpoint: str) -> "PolicyAgent":
    path = checkpoints.path_of(checkpoint)
    try:
        from impulse_agents.network.agent import PolicyAgent  # torch takes seconds to import
    except ImportError as error:
        raise missing_extra(f"policy:{checkpoint}", error) or error from error
    agent = PolicyAgent.load(path)
    checkpoints.check_card(path, agent.weights_digest())
    agent.name = f"policy:{checkpoint}"  # by which it is made again; the path may be another
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
    **{name: Kind(partial(RuleAgent, name), said) for name, said in _STYLES.items()},
    "ismcts": Kind(_make_ismcts, "tree search", "BUDGET[:PLAYOUT]"),
    "policy": Kind(_make_policy, "trained network", "PATH"),
    "policy+search": Kind(_make_policy_search, "trained network that searches", "PATH:BUDGET"),
}
"""The project's own kinds of agent, by the part of the name before the colon."""

_BY_STRENGTH: Final = ("core_rush", "warrior", "greedy", "trader", "miner", "random")
_SEARCHES: Final = {
    "ismcts:1000": "tree search, strong",
    "ismcts:300": "tree search, good",
    "ismcts:100": "tree search, quick",
}
_SEARCH_BUDGETS: Final = (300, 100)
"""Simulations of a trained network that searches, where a person chooses it."""

_REGISTERED: Final[dict[str, Any]] = {}


def register(name: str, agent: Callable[..., Agent] | Agent) -> None:
    """Give an agent of one's own a name in this process.

    Args:
        name: Without a colon, and not one that is taken.
        agent: An agent, a class, or a function that makes one; it is called with what follows the
            name and a colon, or with nothing.

    Raises:
        AgentError: The name cannot be used.
    """
    if ":" in name or not name or name in KINDS:
        raise AgentError(f"an agent cannot be called {name!r}: it is taken, empty or has a colon")
    _REGISTERED[name] = agent


def names() -> list[str]:
    """Return what `make` understands; a word in capitals stands for what you fill in.

    A BUDGET is a number of simulations, such as 1000, or seconds, such as 0.5s; a PATH is that of a
    checkpoint, in whose place the name of a shipped one or hf:OWNER/NAME may stand. A
    ``module:Class`` and a ``file.py:Class`` are understood as well.
    """
    plain = [name for name, kind in KINDS.items() if not kind.argument]
    shipped = [f"policy:{name}" for name in checkpoints.shipped()]
    patterns = [f"{name}:{kind.argument}" for name, kind in KINDS.items() if kind.argument]
    return [*plain, *shipped, *patterns, *own_names()]


def own_names() -> list[str]:
    """Return the names of registered agents and of those that installed packages offer."""
    return [*_REGISTERED, *plugins.entry_point_names(GROUP)]


def choices() -> dict[str, str]:
    """Return agents for a person to choose from, with what they do: the strongest first."""
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
    """Return the agent of that name.

    Args:
        name: As the module's docstring says.
        allow_code: Whether a ``module:Class`` or ``file.py:Class`` may be loaded, which runs its
            code, and a checkpoint of the hub downloaded. False for names that somebody else has
            written.

    Raises:
        AgentError: There is no such agent, or it cannot be made; the message lists the names that
            exist, the nearest first. Or the name is no short text, as a record could not tell it.
        MissingExtraError: It needs a package that is not installed.
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
                f"{name} is on the hub, and nothing is downloaded for what a file tells"
            )
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
            raise AgentError(f"{name} is code, which is not run for a name that a file tells")
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
    """Whether a name is a ``module:Class`` or ``file.py:Class``, so that making it runs code."""
    kind = name.partition(":")[0]
    return (
        kind not in KINDS and kind not in own_names() and plugins.read_reference(name) is not None
    )


def code_file_of(name: str) -> Path | None:
    """Return the file that an agent's code is loaded from if it is named by one, else None."""
    reference = plugins.read_reference(name)
    return reference.file if reference is not None and is_code(name) else None


def code_package_of(name: str) -> str | None:
    """Return the package that an agent's module belongs to if it is named by one, else None."""
    reference = plugins.read_reference(name)
    if reference is None or reference.file is not None or not is_code(name):
        return None
    return reference.place.partition(".")[0]


def _loaded(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except plugins.PluginError as error:
        raise AgentError(str(error)) from error


def _built(name: str, given: Any, argument: str | None) -> Agent:
    """Return the agent that an agent, a class or a function stands for."""
    agent = given
    if not isinstance(given, Agent):
        if not callable(given):
            raise AgentError(f"{name} is no agent and makes none: it is a {type(given).__name__}")
        try:
            with redirect_stdout(sys.stderr):
                agent = given() if argument is None else given(argument)
        except AgentError:
            raise
        except (Exception, SystemExit) as error:
            said = " ".join(str(error).split())
            raise AgentError(f"{name} cannot be made: {type(error).__name__}: {said}") from error
    if not isinstance(agent, Agent):
        raise AgentError(
            f"{name} makes a {type(agent).__name__}; an agent is derived from impulse_agents.Agent"
        )
    agent.name = name  # by which it is made again, in another process too
    return agent

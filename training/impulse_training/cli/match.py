"""The command `impulse match`: agents against each other, and what their games settle.

It prints how often each wins, with 95 % intervals. With `--difference` it stops as soon as a
sequential test has an answer, with `--equivalence` it says whether the two can be told apart at
all.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, Final

from impulse_agents import registry
from impulse_agents.asking.guard import guarded
from impulse_agents.asking.limits import Limits
from impulse_agents.luck.values import values_of
from impulse_env.options import Options, check_least
from impulse_training.cli.framework.command import Command
from impulse_training.rollout.faults import tell_faults
from impulse_training.rollout.match import MatchError, MatchResult, play
from impulse_training.statistics.hypothesis_tests import SequentialTest, equivalence
from impulse_training.statistics.luck_adjusted import Adjusted

COMMAND = Command(
    examples=(
        "impulse match policy:2p greedy --games 2000",
        "impulse match my_agent.py:Best random --players 4",
        "impulse match my_agent.py:Best greedy --difference 0.05 --games 20000",
    ),
    has_json=True,
)
_AT_ONCE: Final = 1000
_BETWEEN_TESTS: Final = 200
"""Games that are played before it is looked whether the test has an answer."""


@dataclass(frozen=True)
class Args:
    """Play agents against each other: every deal once from every seat."""

    agents: tuple[str, ...]
    """One for each side; or two, of which the second plays all other sides."""
    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1000
    """How many, or how many at most; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    adjust: str | None = None
    """Also take the luck out of the results, which need fewer games then, as judged by this: rules,
    or a trained agent such as policy:2p."""
    difference: float | None = None
    """Stop as soon as a sequential test has decided whether the first agent wins as often as par
    or by so much more often, such as 0.05; less than 0: less often."""
    equivalence: float | None = None
    """Also say whether the first agent is so near to par, such as 0.02, too near to tell, or
    not."""
    alpha: float = 0.05
    """How often a difference may be found where there is none, or likeness where there is none."""
    beta: float = 0.05
    """How often a difference may be missed."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; who takes longer fails. Agents then decide in
    a process of their own, in one game at a time."""
    game_time_limit: float | None = None
    """Seconds that a seat may take for all of its decisions in a game."""
    memory_limit: float | None = None
    """GiB that agents may take beside what they have when they are made; on Linux alone."""


def main(args: Args) -> dict[str, Any]:
    """Play a match and print it.

    Raises:
        AgentError: There is no such agent or judge, or it does not play such games.
        LimitError: There is no such limit.
        MatchError: The agents do not fill the sides, or a bound makes no sense.
        OptionError: There is no such game.
    """
    check_least(args, 0, "seed")
    options = Options(players=args.players, team_size=args.team_size)
    _check_bounds(args, 1 / options.team_count)
    made = [registry.make(name) for name in args.agents]
    values = None if args.adjust is None else values_of(args.adjust)
    test = None if args.difference is None else _test(args, 1 / options.team_count)
    at_once = _AT_ONCE if test is None else _BETWEEN_TESTS
    settled = _never if test is None else _settled_by(test)
    with guarded(made, Limits.of(args), options) as entrants:
        result = play(entrants, options, args.games, args.seed, at_once, values, settled, True)
    told = _tell(result, args.adjust)
    if test is not None:
        told["test"] = _tell_test(result, test)
    if args.equivalence is not None:
        told["equivalence"] = _tell_equivalence(result, args.equivalence, args.alpha)
    return told


def _check_bounds(args: Args, par: float) -> None:
    """Raise `MatchError` unless the bounds make sense."""
    for name in ("alpha", "beta"):
        if not 0 < getattr(args, name) < 0.5:
            raise MatchError(f"{name} must be above 0 and below 0.5, not {getattr(args, name)}")
    if (args.difference is not None and not 0 < par + args.difference < 1) or args.difference == 0:
        raise MatchError(
            f"difference must not be 0, and par, {par:.3g}, and it must be above 0 and below 1; "
            f"not {args.difference}"
        )
    if args.equivalence is not None and not 0 < args.equivalence < 0.5:
        raise MatchError(f"equivalence must be above 0 and below 0.5, not {args.equivalence}")


def _tell(result: MatchResult, judge: str | None) -> dict[str, Any]:
    """Print who won how often; return it."""
    failed = f", {len(result.faults)} failed" if result.faults else ""
    print(
        f"{result.games} games, {result.truncated} truncated{failed}; each {result.turns:.1f} "
        f"turns and {result.decisions:.0f} decisions"
    )
    shares: list[dict[str, Any]] = []
    for entrant, name in enumerate(result.names):
        low, high = result.interval(entrant)
        print(f"{name:<32} {result.rate(entrant):7.1%}  [{low:.1%}, {high:.1%}]")
        shares.append({"agent": name, "share": result.rate(entrant), "low": low, "high": high})
    for name, found, share in zip(result.names, result.adjusted, shares, strict=False):
        print(_sentence(name, found, str(judge)))
        share["adjusted"] = asdict(found)
    faults = tell_faults(result.faults, result.games, "has lost them")
    return {
        "games": result.games,
        "truncated": result.truncated,
        "turns": result.turns,
        "decisions": result.decisions,
        "agents": shares,
        "faults": faults,
    }


def _sentence(name: str, found: Adjusted, judge: str) -> str:
    """Return a line on a share with the luck taken out."""
    interval = "" if found.interval is None else "  [{:z.1%}, {:z.1%}]".format(*found.interval)
    worth = "" if found.factor is None else f"  as good as {found.factor:.2f} times as many games"
    return f"{name:<32} {found.share:z7.1%}{interval} without the luck that {judge} sees{worth}"


# --- Whether the first wins so much more ----------------------------------------------------------


def _test(args: Args, par: float) -> SequentialTest:
    """Return the test of par against par and the difference."""
    assert args.difference is not None
    other = par + args.difference
    if args.difference > 0:
        return SequentialTest(par, other, args.alpha, args.beta)
    return SequentialTest(other, par, args.beta, args.alpha)


def _never(so_far: MatchResult) -> bool:
    return False


def _settled_by(test: SequentialTest) -> Callable[[MatchResult], bool]:
    """Return what stops a match: it gives the test the deals that are new."""

    def is_settled(so_far: MatchResult) -> bool:
        for score in so_far.scores()[test.count :].tolist():
            test.add(score)
            if test.accepted is not None:
                return True
        return False

    return is_settled


def _tell_test(result: MatchResult, test: SequentialTest) -> dict[str, Any]:
    """Print and return what the test has found."""
    accepted, name = test.accepted, result.names[0]
    rates = f"error rates {test.alpha:g} and {test.beta:g}, {test.count:,} deals"
    if accepted is None:
        print(
            f"undecided: {name} may win {test.low:.1%} or {test.high:.1%} ({rates}); more --games "
            "would settle it"
        )
    else:
        other = test.low if accepted == test.high else test.high
        print(f"settled: {name} wins {accepted:.1%} rather than {other:.1%} ({rates})")
    return {
        "accepted": accepted,
        "low": test.low,
        "high": test.high,
        "log_likelihood_ratio": test.log_likelihood_ratio,
    }


# --- Whether they are alike -----------------------------------------------------------------------


def _tell_equivalence(result: MatchResult, bound: float, alpha: float) -> dict[str, Any]:
    """Print and return whether the first wins as much as par, give or take the bound."""
    par, name = 1 / result.sides, result.names[0]
    found = equivalence(result.scores(), par, bound, alpha)
    within = f"within {bound:.1%} of par, {par:.1%}"
    said = {
        "equivalent": f"{name} is {within}",
        "different": f"{name} is not {within}",
        "open": f"whether {name} is {within} is open",
    }[found.verdict]
    if found.verdict == "open" and abs(found.ahead) < bound:
        half = (found.high - found.low) / 2
        needed = result.games * (half / (bound - abs(found.ahead))) ** 2
        said += f"; about {ceil(needed / 100) * 100:,} games would tell"
    interval = f"{found.low:+z.1%} to {found.high:+z.1%}"
    print(f"{said} ({1 - 2 * alpha:.0%} interval {interval}, error rate {alpha:g})")
    return {"verdict": found.verdict, "low": found.low, "high": found.high, "bound": bound}

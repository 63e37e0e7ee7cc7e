"""The command `impulse match`: win rates of agents against each other, and tests on them.

It prints each agent's win rate with a 95 % interval. With `--difference`, a sequential test stops
the match as soon as it decides. `--equivalence` adds a test whether the win rate is close to par.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any, Final

from impulse_agents import registry
from impulse_agents.asking.guard import guarded
from impulse_agents.luck.values import values_of
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command
from impulse_training.rollout.faults import tell_faults
from impulse_training.rollout.match import MatchError, MatchResult, play
from impulse_training.run.common_options import LimitArgs, TableArgs
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
"""Games between two looks at the sequential test."""


@dataclass(frozen=True)
class Args(LimitArgs, TableArgs):
    """Play agents against each other, every deal once from every seat."""

    agents: tuple[str, ...]
    """One agent per side; or two, where the second plays all other sides."""
    games: int = 1000
    """Number of games, rounded up to whole deals; with --difference the maximum."""
    seed: int = 0
    """Random seed for the deals and the agents."""
    adjust: str | None = None
    """Also print luck-adjusted results, which need fewer games. The value names the judge: rules,
    or a trained agent such as policy:2p."""
    difference: float | None = None
    """Stop as soon as a sequential test decides whether the first agent's win rate is par, or par
    plus this difference, such as 0.05; it may be negative."""
    equivalence: float | None = None
    """Also test whether the first agent's win rate is within this distance of par, such as 0.02."""
    alpha: float = 0.05
    """Rate of false positives: a difference, or an equivalence, that does not exist."""
    beta: float = 0.05
    """Rate of false negatives: a difference that the test misses."""


def main(args: Args) -> dict[str, Any]:
    """Play a match and print it.

    Raises:
        AgentError: An agent or the judge does not exist, or does not support these games.
        LimitError: A limit is invalid.
        MatchError: The agents do not fill the sides, or a bound is out of range.
        OptionError: The game does not exist.
    """
    check_least(args, 0, "seed")
    options = args.options
    _check_bounds(args, 1 / options.team_count)
    made = [registry.make(name) for name in args.agents]
    values = None if args.adjust is None else values_of(args.adjust)
    test = None if args.difference is None else _test(args, 1 / options.team_count)
    at_once = _AT_ONCE if test is None else _BETWEEN_TESTS
    settled = _never if test is None else _settled_by(test)
    with guarded(made, args.limits, options) as entrants:
        result = play(entrants, options, args.games, args.seed, at_once, values, settled, True)
    report = _report_rates(result, args.adjust)
    if test is not None:
        report["test"] = _report_test(result, test)
    if args.equivalence is not None:
        report["equivalence"] = _report_equivalence(result, args.equivalence, args.alpha)
    return report


def _check_bounds(args: Args, par: float) -> None:
    """Raise `MatchError` if a bound is out of range."""
    for name in ("alpha", "beta"):
        if not 0 < getattr(args, name) < 0.5:
            raise MatchError(f"{name} must be above 0 and below 0.5, not {getattr(args, name)}")
    if (args.difference is not None and not 0 < par + args.difference < 1) or args.difference == 0:
        raise MatchError(
            f"difference must not be 0, and par + difference must be between 0 and 1, but par is "
            f"{par:.3g} and difference is {args.difference}"
        )
    if args.equivalence is not None and not 0 < args.equivalence < 0.5:
        raise MatchError(f"equivalence must be above 0 and below 0.5, not {args.equivalence}")


def _report_rates(result: MatchResult, judge: str | None) -> dict[str, Any]:
    """Print and return the win rates."""
    failed = f", {len(result.faults)} failed" if result.faults else ""
    print(
        f"{result.games} games, {result.truncated} truncated{failed}; mean length "
        f"{result.turns:.1f} turns, {result.decisions:.0f} decisions"
    )
    shares: list[dict[str, Any]] = []
    for entrant, name in enumerate(result.names):
        low, high = result.interval(entrant)
        print(f"{name:<32} {result.rate(entrant):7.1%}  [{low:.1%}, {high:.1%}]")
        shares.append({"agent": name, "share": result.rate(entrant), "low": low, "high": high})
    for name, adjusted, share in zip(result.names, result.adjusted, shares, strict=False):
        print(_sentence(name, adjusted, str(judge)))
        share["adjusted"] = asdict(adjusted)
    faults = tell_faults(result.faults, result.games, "has lost them")
    return {
        "games": result.games,
        "truncated": result.truncated,
        "turns": result.turns,
        "decisions": result.decisions,
        "agents": shares,
        "faults": faults,
    }


def _sentence(name: str, adjusted: Adjusted, judge: str) -> str:
    """Return a line with a luck-adjusted win rate."""
    interval = ""
    if adjusted.interval is not None:
        interval = "  [{:z.1%}, {:z.1%}]".format(*adjusted.interval)
    worth = "" if adjusted.factor is None else f"  as good as {adjusted.factor:.2f} times the games"
    return f"{name:<32} {adjusted.share:z7.1%}{interval} luck-adjusted by {judge}{worth}"


# --- The sequential test --------------------------------------------------------------------------


def _test(args: Args, par: float) -> SequentialTest:
    """Return the test of par against par plus the difference."""
    assert args.difference is not None
    other = par + args.difference
    if args.difference > 0:
        return SequentialTest(par, other, args.alpha, args.beta)
    return SequentialTest(other, par, args.beta, args.alpha)


def _never(so_far: MatchResult) -> bool:
    return False


def _settled_by(test: SequentialTest) -> Callable[[MatchResult], bool]:
    """Return a function that gives the test the new deals, and stops the match when it decides."""

    def is_settled(so_far: MatchResult) -> bool:
        for score in so_far.scores()[test.count :].tolist():
            test.add(score)
            if test.accepted is not None:
                return True
        return False

    return is_settled


def _report_test(result: MatchResult, test: SequentialTest) -> dict[str, Any]:
    """Print and return the result of the sequential test."""
    accepted, name = test.accepted, result.names[0]
    rates = f"error rates {test.alpha:g} and {test.beta:g}, {test.count:,} deals"
    if accepted is None:
        print(
            f"undecided: {name} may win {test.low:.1%} or {test.high:.1%} ({rates}); increase "
            "--games to decide"
        )
    else:
        other = test.low if accepted == test.high else test.high
        print(f"decided: {name} wins {accepted:.1%} rather than {other:.1%} ({rates})")
    return {
        "accepted": accepted,
        "low": test.low,
        "high": test.high,
        "log_likelihood_ratio": test.log_likelihood_ratio,
    }


# --- The equivalence test -------------------------------------------------------------------------


def _report_equivalence(result: MatchResult, bound: float, alpha: float) -> dict[str, Any]:
    """Print and return whether the first agent's win rate is within the bound of par."""
    par, name = 1 / result.sides, result.names[0]
    outcome = equivalence(result.scores(), par, bound, alpha)
    within = f"within {bound:.1%} of par, {par:.1%}"
    sentence = {
        "equivalent": f"{name} is {within}",
        "different": f"{name} is not {within}",
        "open": f"undecided: whether {name} is {within}",
    }[outcome.verdict]
    if outcome.verdict == "open" and abs(outcome.ahead) < bound:
        half = (outcome.high - outcome.low) / 2
        needed = result.games * (half / (bound - abs(outcome.ahead))) ** 2
        sentence += f"; about {ceil(needed / 100) * 100:,} games would decide"
    interval = f"{outcome.low:+z.1%} to {outcome.high:+z.1%}"
    print(f"{sentence} ({1 - 2 * alpha:.0%} interval {interval}, error rate {alpha:g})")
    return {"verdict": outcome.verdict, "low": outcome.low, "high": outcome.high, "bound": bound}

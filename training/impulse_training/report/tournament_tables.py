"""The statistics of a tournament as tables, for the terminal and the report."""

from collections.abc import Sequence
from math import isinf

from impulse_agents.asking.faults import FAULT_KINDS
from impulse_agents.identity import Identity
from impulse_env.outcomes import SOURCES
from impulse_training.report.table import EMPTY, PER_CENT, Table, percent, with_ends, with_interval
from impulse_training.statistics.elo import PRIOR_SD, Rating
from impulse_training.statistics.nash import Mixture
from impulse_training.statistics.summary import Spread, Statistics

_CYCLES_SHOWN = 5
_DIGESTS = ("rules", "code", "weights")
"""The digests of an identity."""


def tables(statistics: Statistics) -> list[Table]:
    """Return all tables of a tournament with at least one game."""
    adjusted = [luck(statistics)] if statistics.adjusted else []
    return [
        agents(statistics),
        *adjusted,
        *([faults(statistics)] if any(row.failures for row in statistics.agents) else []),
        matrix(statistics),
        *([] if statistics.mixture is None else [mixture(statistics, statistics.mixture)]),
        points(statistics),
        seats(statistics),
        lengths(statistics),
        thinking(statistics),
    ]


def numbered(statistics: Statistics) -> list[str]:
    """Return the agents' names after their ranks; other tables show only the ranks."""
    # A line may break inside a long name, but not after the rank.
    return [f"{rank}\u00a0{row.name}" for rank, row in enumerate(statistics.agents, 1)]


def agents(statistics: Statistics) -> Table:
    """Return the table of ratings and win shares."""
    deals = f"{statistics.deals:,} deal{'' if statistics.deals == 1 else 's'}"
    zero = f"{statistics.anchor} is 0" if statistics.anchor is not None else "their mean is 0"
    note = (
        f"Elo points by maximum likelihood; {zero}. Brackets: 95 % intervals, for ratings from "
        f"{statistics.resamples:,} resamplings of {deals}, for shares Wilson's. "
        "Par: the share won if all agents are equally strong."
    )
    if any(isinf(end) for row in statistics.agents for end in (row.rating.low, row.rating.high)):
        note += (
            " ∞: the results set no limit. This happens with wins only, with a single deal, or "
            "between agents that never met. It also happens between agents that won every game and "
            "agents that lost every game. "
            "With wins or losses only, the rating depends on the prior (normal, standard deviation "
            f"{PRIOR_SD:.0f})."
        )
        if statistics.anchor is None:
            note += " With --anchor AGENT, intervals are for the difference from that agent."
    rows = []
    for label, row in zip(numbered(statistics), statistics.agents, strict=True):
        rating = row.rating
        rows.append(
            (
                label,
                rating_with_interval(rating, is_anchor=rating.name == statistics.anchor),
                f"{row.won.games:,}",
                with_interval(row.won),
                percent(row.won.par),
                str(row.failures),
            )
        )
    return Table(
        "Ratings",
        ("Agent", "Rating", "Games", f"Won{PER_CENT}", f"Par{PER_CENT}", "Failed"),
        tuple(rows),
        note,
    )


def faults(statistics: Statistics) -> Table:
    """Return the table of agents' faults."""
    return Table(
        "Faults",
        ("Agent", *FAULT_KINDS),
        tuple(
            (row.name, *(str(row.faults.get(kind, 0)) for kind in FAULT_KINDS))
            for row in statistics.agents
            if row.failures
        ),
        "Games that an agent lost by a fault. It raised an error, returned an illegal action or "
        "no integer, took too long, ran out of memory, or ended its process.",
    )


def luck(statistics: Statistics) -> Table:
    """Return the table of luck-adjusted shares."""
    rows = []
    for row, found in zip(statistics.agents, statistics.adjusted, strict=True):
        rows.append(
            (
                row.name,
                with_ends(found.plain, found.plain_interval),
                with_ends(found.share, found.interval),
                EMPTY if found.factor is None else f"{found.factor:.2f}",
            )
        )
    return Table(
        "Without luck",
        ("Agent", f"Won{PER_CENT}", f"Adjusted{PER_CENT}", "Worth"),
        tuple(rows),
        f"Shares of the games won, plain and minus the luck that {statistics.judge} sees. Both "
        "have the same expectation, whatever the judge. Brackets: 95 % intervals from the means of "
        "deals. Worth: the factor on the number of games for the same precision without the "
        "adjustment.",
    )


def matrix(statistics: Statistics) -> Table:
    """Return the table of every agent against every other."""
    labels = numbered(statistics)
    return Table(
        "Who beats whom",
        ("Agent", *(label.split()[0] for label in labels)),
        tuple(
            (label, *(percent(share.share) for share in row))
            for label, row in zip(labels, statistics.matrix, strict=True)
        ),
        "Games won by the agent of the row, in per cent of the games that it played with the agent "
        "of the column.",
    )


def mixture(statistics: Statistics, found: Mixture) -> Table:
    """Return the table of the Nash mixture; its note names the cycles."""
    note = (
        "The mixture of agents that no agent beats on average (Nash averaging), and each agent's "
        "win rate against it. Brackets: 95 % intervals from "
        f"{found.resamples:,} resamplings of deals. "
    )
    if not found.cycles:
        note += "No three agents form a cycle."
    for cycle in found.cycles[:_CYCLES_SHOWN]:
        shares = ", ".join(f"{100 * share:.1f}" for share in cycle.shares)
        note += (
            f"{' beats '.join((*cycle.names, cycle.names[0]))} ({shares} %; in "
            f"{100 * cycle.certainty:.0f} % of the resamplings). "
        )
    return Table(
        "Nash mixture",
        ("Agent", f"Part{PER_CENT}", f"Wins{PER_CENT}"),
        tuple(
            (row.name, with_ends(part, (low, high)), percent(share))
            for row, (part, low, high), share in zip(
                statistics.agents, found.weights, found.against, strict=True
            )
        ),
        note.rstrip(),
    )


def points(statistics: Statistics) -> Table:
    """Return the table of points by source."""
    rows = []
    for row in statistics.agents:
        found = row.points
        cells = [EMPTY] * (len(SOURCES) + 1)
        if found is not None:
            cells = [f"{value:.2f}" for value in (*found, sum(found))]
        rows.append((row.name, *cells))
    return Table(
        "Points by source",
        ("Agent", *map(source_name, range(len(SOURCES))), "All"),
        tuple(rows),
        "Mean per game and seat, without failed games.",
    )


def seats(statistics: Statistics) -> Table:
    """Return the table of win shares by seat."""
    return Table(
        "Seats",
        ("Seat", "Games", f"Won{PER_CENT}", f"Par{PER_CENT}"),
        tuple(
            (str(seat), f"{won.games:,}", with_interval(won), percent(won.par))
            for seat, won in enumerate(statistics.seats)
        ),
        "A seat is a place at the table. The deal draws the first player, so this table does not "
        "show the advantage of the first turn. Failed games are left out.",
    )


def lengths(statistics: Statistics) -> Table:
    """Return the table of lengths; its note counts the ends of the games."""
    ended = statistics.ended
    return Table(
        "Length of the games",
        ("Counted in", "Mean", "Median", "5\u00a0%", "95\u00a0%"),
        (
            ("rounds", *_spread(statistics.rounds, 1)),
            ("decisions", *_spread(statistics.decisions, 0)),
        ),
        f"Of {statistics.games:,} games {ended['score']:,} ended by the score, "
        f"{ended['elimination']:,} by elimination; {ended['truncation']:,} were truncated, "
        f"{ended['failed']:,} failed and are left out. Decisions: choices with more than one "
        "legal action, over all seats.",
    )


def thinking(statistics: Statistics) -> Table:
    """Return the table of times."""
    rows = []
    for row, agent in zip(statistics.thinking, statistics.agents, strict=True):
        mean = EMPTY if row.mean is None else f"{row.mean:.3g}"
        spread = row.per_game
        games = EMPTY if spread is None else f"{spread.low:.3g} to {spread.high:.3g}"
        rows.append((row.name, mean, games, f"{agent.decisions:,}"))
    return Table(
        "Thinking time",
        ("Agent", "ms\u00a0per decision", "5\u00a0to\u00a095\u00a0% of\u00a0games", "Decisions"),
        tuple(rows),
        "Measured times differ from run to run; all other tables are reproducible.",
    )


def identities(playing: Sequence[Identity]) -> Table:
    """Return the table of the agents' identities in these games."""
    return Table(
        "Identities of the agents",
        ("Agent", "Identity", "Version", "Made of"),
        tuple(
            (
                identity.agent,
                identity.short,
                identity.parts.get("version", identity.parts.get("distribution", EMPTY)),
                ", ".join(
                    f"{part} {identity.parts[part][: len(identity.short)]}"
                    for part in _DIGESTS
                    if part in identity.parts
                ),
            )
            for identity in playing
        ),
        "First digits of digests: of everything that determines the agent's choices, of the "
        "engine, of the agent's sources, of its weights. settings.json has the full digests. Games "
        "of an agent that has changed since are not counted.",
    )


def source_name(source: int) -> str:
    """Return the name of a source of points."""
    return SOURCES[source].name.replace("_", " ").capitalize()


def rating_with_interval(rating: Rating, *, is_anchor: bool) -> str:
    """Return a rating with its interval as text; the anchor has no interval."""
    ends = "" if is_anchor else f" [{_elo(rating.low)}, {_elo(rating.high)}]"
    return f"{_elo(rating.rating)}{ends}"


def _elo(rating: float) -> str:
    if isinf(rating):
        return "∞" if rating > 0 else "-∞"
    return f"{rating:z.0f}"


def _spread(spread: Spread | None, digits: int) -> Sequence[str]:
    if spread is None:
        return [EMPTY] * 4
    values = (spread.mean, spread.median, spread.low, spread.high)
    return [f"{value:,.{digits}f}" for value in values]

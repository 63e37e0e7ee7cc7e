"""The statistics of a tournament as tables to be read, in the terminal and in the report."""

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
"""The parts of an identity that are digests."""


def tables(statistics: Statistics) -> list[Table]:
    """Return all tables of a tournament with one game at least."""
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
    """Return the agents' names behind their ranks, which stand for them elsewhere."""
    # A line may break inside a long name, but not behind the rank.
    return [f"{rank}\u00a0{row.name}" for rank, row in enumerate(statistics.agents, 1)]


def agents(statistics: Statistics) -> Table:
    """Return the table of ratings and win shares."""
    zero = f"{statistics.anchor} is 0" if statistics.anchor is not None else "their mean is 0"
    note = (
        f"Elo points by maximum likelihood; {zero}. In brackets 95 % intervals: of ratings from "
        f"{statistics.resamples:,} resamplings of {statistics.deals:,} deals, of shares Wilson's. "
        "Par is the share won if all are equal."
    )
    if any(isinf(end) for row in statistics.agents for end in (row.rating.low, row.rating.high)):
        note += (
            " ∞: the results set no limit, as after wins alone, on a single deal, between agents "
            "that never met, or between those that won every game and those that lost every game. "
            "After wins or losses alone a rating depends on the prior (normal, deviation "
            f"{PRIOR_SD:.0f})."
        )
        if statistics.anchor is None:
            note += " With --anchor AGENT the intervals are those of differences from that agent."
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
    """Return the table of what agents did wrong."""
    return Table(
        "Faults",
        ("Agent", *FAULT_KINDS),
        tuple(
            (row.name, *(str(row.faults.get(kind, 0)) for kind in FAULT_KINDS))
            for row in statistics.agents
            if row.failures
        ),
        "Games lost by an agent that raised an error, answered with no integer or an illegal "
        "action, took too long, had no memory left, or ended its process.",
    )


def luck(statistics: Statistics) -> Table:
    """Return the table of shares with the luck taken out."""
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
        f"Shares of the games won, and the same less what chance gave, as {statistics.judge} sees "
        "it: equal on average, however little that is. In brackets 95 % intervals from the means "
        "of deals; worth is how many times as many games it would take without adjusting.",
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
        "Per cent of the games won by the agent of the row, among those in which the agent of the "
        "column sat too.",
    )


def mixture(statistics: Statistics, found: Mixture) -> Table:
    """Return the table of the mixture that nobody beats; its note tells the cycles."""
    note = (
        "The mixture of agents that none beats on average (Nash averaging), and what each wins "
        f"against it; in brackets 95 % intervals from {found.resamples:,} resamplings of deals. "
    )
    if not found.cycles:
        note += "No three agents beat one another in a circle."
    for cycle in found.cycles[:_CYCLES_SHOWN]:
        shares = ", ".join(f"{100 * share:.1f}" for share in cycle.shares)
        note += (
            f"{' beats '.join((*cycle.names, cycle.names[0]))} ({shares} %; so in "
            f"{100 * cycle.certainty:.0f} % of the resamplings). "
        )
    return Table(
        "A mixture that nobody beats",
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
        "Mean of a game and seat; failed games are left out.",
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
        "A seat is a place at the table. Who begins is drawn for each deal, so this is not the "
        "advantage of the first turn. Failed games are left out.",
    )


def lengths(statistics: Statistics) -> Table:
    """Return the table of lengths; its note tells how the games ended."""
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
        f"{ended['failed']:,} failed and are left out. Decisions are choices with more than one "
        "legal answer, of all seats together.",
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
        "Measured, so it differs from run to run; nothing else here does.",
    )


def identities(playing: Sequence[Identity]) -> Table:
    """Return the table of what the agents were when they played."""
    return Table(
        "What the agents were",
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
        "Beginnings of digests: of all that an agent's choices follow from, of the engine, of the "
        "agent's sources, of its weights. The whole ones are in settings.json; games of an agent "
        "that is another one by now are not counted.",
    )


def source_name(source: int) -> str:
    """Return the words for a source of points."""
    return SOURCES[source].name.replace("_", " ").capitalize()


def rating_with_interval(rating: Rating, *, is_anchor: bool) -> str:
    """Return a rating as text; that of the anchor is exact."""
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

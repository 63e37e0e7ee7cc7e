"""The command `impulse tools claims`: lists the claims of the pages and verifies them."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from tyro import conf

from impulse_env.files import check_output
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.claims.claims import (
    Claim,
    ClaimError,
    cheapest_first,
    chosen,
    read,
)
from impulse_training.evaluation.claims.estimate import critical
from impulse_training.evaluation.claims.verify import (
    Clock,
    StoredMeasurements,
    Verdict,
    measure,
    planned,
)
from impulse_training.run.storage.folder_lock import locked

COMMAND = Command(
    examples=(
        "impulse tools claims",
        "impulse tools claims verify --minutes 30",
        "impulse tools claims verify strength",
    ),
    has_json=True,
    extra="tournament",
)
VERIFY: Final = "verify"


@dataclass(frozen=True)
class Args:
    """List the numbers of the public pages, or measure them again.

    `impulse tools claims NAME` shows a claim, or all claims of a table. `impulse tools claims
    verify NAME` runs its command with another seed and says whether both values agree. `impulse
    tools claims verify --minutes 30` takes the cheapest claims first. After Ctrl-C, the same
    command continues. The exit status is 1 if a claim does not agree.
    """

    words: Annotated[tuple[str, ...], conf.Positional] = ()
    """verify, or nothing; then names of claims or tables."""
    minutes: float | None = None
    """With verify: limit in minutes. A claim begins only if its cost fits into the rest."""
    seed: int = 101
    """With verify: seed of the deals and the agents. With the seed of the claim, the same games are
    played again, so the measurement is not independent."""
    alpha: float = 0.05
    """With verify: probability that chance alone makes at least one claim of this call disagree."""
    file: Path | None = None
    """File of claims; the project's file by default."""
    out: Path = Path("runs/claims")
    """Folder of the measurements."""
    overwrite: bool = False
    """Remove the earlier measurements with this seed, and measure again."""


def main(args: Args) -> dict[str, Any]:
    """List claims or verify them; ``passed`` is false if one does not agree.

    Raises:
        ClaimError: The file, the name of a claim, or an option is not valid.
        OutputError: The folder cannot be written to.
        FolderInUseError: Another process uses the folder.
    """
    check_least(args, 0, "seed")
    if not 0 < args.alpha < 1:
        raise ClaimError(f"alpha must be above 0 and below 1, not {args.alpha}")
    is_verification = args.words[:1] == (VERIFY,)
    claims = cheapest_first(chosen(read(args.file), args.words[is_verification:]))
    if is_verification:
        return _verify(args, claims)
    if args.minutes is not None:
        raise ClaimError("--minutes is for `impulse tools claims verify`")
    return _list(claims)


def _list(claims: list[Claim]) -> dict[str, Any]:
    """Print the claims and return them."""
    for claim in claims:
        print(f"{claim.id}: {claim.statement}: {claim.shown}{_unit(claim)}")
        print(f"    {claim.command}")
        print(f"    {_cost(claim)}{_measured(claim)}; {', '.join(claim.pages)}")
    print(f"{len(claims)} claims")
    found = [{**asdict(claim), "estimate": asdict(claim.estimate)} for claim in claims]
    return {"claims": found}


def _verify(args: Args, claims: list[Claim]) -> dict[str, Any]:
    """Measure claims again and print the comparisons."""
    if args.minutes is None and len(args.words) == 1:
        raise ClaimError(
            "say for how long, such as --minutes 30, or which claims, such as "
            f"`impulse tools claims verify {claims[0].id}`"
        )
    check_least(args, 0, "minutes")
    folder = args.out / f"seed-{args.seed}"
    check_output("--out", args.out, is_folder=True)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        stored = StoredMeasurements(folder)
        if args.overwrite:
            stored.forget()
        plan = planned(claims, args.minutes, lambda claim: stored.of(claim, args.seed) is not None)
        compared = [claim for claim in plan if not claim.depends_on_machine]
        limit = critical(args.alpha, max(len(compared), 1))
        print(
            f"{len(plan)} claims with seed {args.seed}. Two values disagree if they are more than "
            f"{limit:.2f} standard errors apart: in at most {args.alpha:.1%} of such calls "
            "chance alone makes one disagree."
        )
        verdicts = _measure_all(args, plan, stored, limit)
    return _report(args, plan, verdicts, limit)


def _measure_all(
    args: Args, plan: list[Claim], stored: StoredMeasurements, limit: float
) -> list[Verdict]:
    """Measure the claims without a result until the time is over; print each verdict."""
    verdicts: list[Verdict] = []
    clock = Clock(args.minutes)
    try:
        for number, claim in enumerate(plan, 1):
            found = stored.of(claim, args.seed)
            if found is None and clock.is_over:
                break
            how = _cost(claim) if found is None else "measured before"
            print(f"{number} of {len(plan)}, {claim.id} ({how}): {claim.command}", flush=True)
            if claim.seed == args.seed:
                print("    this is the claim's own seed, so the measurement is not independent")
            if found is None:
                found = measure(claim, stored.work, args.seed)
                stored.add(found)
            verdicts.append(Verdict.of(claim, found, limit))
            print(f"    {_sentence(verdicts[-1])}", flush=True)
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(
            f"interrupted; {len(verdicts)} of {len(plan)} claims are done and stored in "
            f"{stored.folder}; the same command continues with the others"
        ) from interrupt
    return verdicts


def _report(args: Args, plan: list[Claim], verdicts: list[Verdict], limit: float) -> dict[str, Any]:
    """Print how many claims agree; return the result of each."""
    failed = [one.claim.id for one in verdicts if one.measurement.new is None]
    disagree = [one.claim.id for one in verdicts if one.agrees is False and one.measurement.new]
    agree = sum(one.agrees is True for one in verdicts)
    left = [claim.id for claim in plan[len(verdicts) :]]
    parts = [f"{agree} agree"]
    parts += [f"{len(disagree)} disagree ({', '.join(disagree)})"] if disagree else []
    parts += [f"{len(failed)} could not be measured ({', '.join(failed)})"] if failed else []
    machine = sum(one.agrees is None for one in verdicts)
    parts += [f"{machine} depend on the machine and are not judged"] if machine else []
    parts += [f"the time was over before {len(left)} others"] if left else []
    print("; ".join(parts))
    return {
        "passed": not disagree and not failed,
        "seed": args.seed,
        "alpha": args.alpha,
        "standard_errors": limit,
        "claims": [
            {
                "id": one.claim.id,
                "command": one.claim.command,
                "old": asdict(one.claim.estimate),
                "new": None if one.measurement.new is None else asdict(one.measurement.new),
                "failure": one.measurement.failure,
                "distance": one.distance,
                "agrees": one.agrees,
                "minutes": one.measurement.minutes,
            }
            for one in verdicts
        ],
        "left": left,
    }


def _sentence(verdict: Verdict) -> str:
    """Return a sentence that compares the old value with the new one."""
    claim, new = verdict.claim, verdict.measurement.new
    if new is None:
        return f"could not be measured: {verdict.measurement.failure}"
    spent = verdict.measurement.minutes
    took = "" if spent is None else f"; {spent:.1f} CPU minutes"
    apart = "" if verdict.distance is None else f" ({verdict.distance:+.2f} standard errors)"
    judged = {True: "agrees", False: "DISAGREES", None: "depends on the machine"}[verdict.agrees]
    unit = _unit(claim)
    return f"old {claim.shown}{unit}, new {new.text(claim.digits)}{unit}: {judged}{apart}{took}"


def _unit(claim: Claim) -> str:
    return f" {claim.unit}" if claim.unit else ""


def _cost(claim: Claim) -> str:
    if claim.minutes is None:
        return "cost not known"
    return f"{claim.minutes:g} CPU minutes, {claim.minutes_are}"


def _measured(claim: Claim) -> str:
    games = f"; {claim.games:,} games" if claim.games else ""
    seed = "" if claim.seed is None else f"; seed {claim.seed}"
    return f"{games}{seed}{f'; commit {claim.commit}' if claim.commit else ''}"

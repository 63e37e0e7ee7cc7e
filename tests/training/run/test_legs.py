"""A checkpoint tells of every process that trained it."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from impulse_training.run.legs import Legs, changed_options


@dataclass(frozen=True)
class Options:
    """Of some training."""

    rate: float = 0.5
    layers: tuple[int, ...] = (8,)
    start: Path | None = None
    out: Path | None = None
    resume: Path | None = None


def test_only_options_that_differ_from_defaults_are_recorded():
    assert changed_options(Options()) == {}
    given = Options(0.25, (8, 4), Path("a") / "b", out=Path("c"), resume=Path("d"))
    assert changed_options(given) == {"rate": 0.25, "layers": [8, 4], "start": str(Path("a/b"))}


def test_every_leg_has_its_own_steps_and_the_whole_their_sum():
    first = Legs(Options(), {"started_from": {"steps": 7}}).metadata(100, 10.4)
    second = Legs(Options(rate=0.1), json.loads(json.dumps(first))).metadata(250, 25.0)
    assert (second["steps"], second["seconds"]) == (250, 25)
    assert [leg["steps"] for leg in second["legs"]] == [100, 150]
    assert [leg["seconds"] for leg in second["legs"]] == [10, 15]
    assert [leg["args"] for leg in second["legs"]] == [{}, {"rate": 0.1}]
    assert second["started_from"] == {"steps": 7}
    assert first["legs"] == second["legs"][:1]


def test_a_leg_records_hardware_time_and_versions():
    (leg,) = Legs(Options(), {}).metadata(1, 1.0)["legs"]
    assert {"command", "hardware", "versions", "commit", "is_dirty"} <= leg.keys()
    began, ended = (datetime.fromisoformat(leg[name]) for name in ("began", "ended"))
    assert began <= ended
    assert began.utcoffset().total_seconds() == 0


def test_new_metadata_replaces_that_of_the_same_leg():
    legs = Legs(Options(), {})
    assert [len(legs.metadata(steps, 1.0)["legs"]) for steps in (10, 20)] == [1, 1]
    assert legs.metadata(30, 2.0)["legs"][0]["steps"] == 30

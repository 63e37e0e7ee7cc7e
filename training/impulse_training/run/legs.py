"""The stages of a run: one for each process that trained, with its options and its machine."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from impulse_training.run.provenance.process import provenance
from impulse_training.run.storage.args_file import options_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_ONLY_HERE: Final = ("out", "resume", "overwrite")
"""Options for the place of a run, which do not affect the training."""


class Legs:
    """The metadata of a run in its checkpoint, as ``config["training"]``.

    It has `steps` and `seconds` of the whole run, its stages as `legs`, and in `started_from` the
    same data of the run that a warm start came from. A stage has `command`, `args` (the options
    that differ from their defaults), `began` and `ended` (UTC), `steps`, `seconds`, `hardware`,
    `versions`, `commit` and `is_dirty`.

    Args:
        args: The options of the new stage.
        earlier: The metadata of the checkpoint that the run continues from; for a new run
            ``{"started_from": …}`` or an empty dict.
    """

    def __init__(self, args: "DataclassInstance", earlier: dict[str, Any]) -> None:
        self._earlier = earlier
        self._done: list[dict[str, Any]] = earlier.get("legs", [])
        self._now = {"args": changed_options(args), "began": _now(), **provenance()}

    def metadata(self, steps: int, seconds: float) -> dict[str, Any]:
        """Return ``config["training"]`` after these steps and seconds of the whole run."""
        before = [sum(leg[what] for leg in self._done) for what in ("steps", "seconds")]
        leg = {
            **self._now,
            "ended": _now(),
            "steps": steps - before[0],
            "seconds": round(seconds - before[1]),
        }
        total = {"steps": steps, "seconds": round(seconds)}
        return {**self._earlier, **total, "legs": [*self._done, leg]}


def changed_options(args: "DataclassInstance") -> dict[str, Any]:
    """Return the options that differ from their defaults, as values for JSON."""
    defaults = {field.name: field.default for field in fields(args)}
    return {
        name: value
        for name, value in options_of(args).items()
        if getattr(args, name) != defaults[name] and name not in _ONLY_HERE
    }


def _now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")

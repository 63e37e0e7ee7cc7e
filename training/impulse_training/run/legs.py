"""The legs of a training: one for each process that it went on in, and what each was told."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from impulse_training.run.provenance.process import provenance
from impulse_training.run.storage.args_file import options_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_ONLY_HERE: Final = ("out", "resume", "overwrite")
"""Options that say where a training is, and nothing of how it goes."""


class Legs:
    """What a checkpoint keeps of the training that made it, as its ``config["training"]``.

    That has `steps` and `seconds` of the whole training, its `legs`, and as `started_from` the same
    of the training whose weights it began with, if there is one. A leg has `command`, `args` (the
    options that are not as by default), `began` and `ended` (UTC), `steps`, `seconds`, `hardware`,
    `versions`, `commit` and `is_dirty`.

    Args:
        args: The options of the leg that begins now.
        earlier: What the checkpoint that it goes on from has told; for a new training
            ``{"started_from": …}`` or nothing.
    """

    def __init__(self, args: "DataclassInstance", earlier: dict[str, Any]) -> None:
        self._earlier = earlier
        self._done: list[dict[str, Any]] = earlier.get("legs", [])
        self._now = {"args": changed_options(args), "began": _now(), **provenance()}

    def told(self, steps: int, seconds: float) -> dict[str, Any]:
        """Return ``config["training"]`` of a training that has got so far, in all its legs."""
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
    """Return the options that differ from their defaults, as JSON can hold them."""
    defaults = {field.name: field.default for field in fields(args)}
    return {
        name: value
        for name, value in options_of(args).items()
        if getattr(args, name) != defaults[name] and name not in _ONLY_HERE
    }


def _now() -> str:
    """Return the time by the clock on the wall, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")

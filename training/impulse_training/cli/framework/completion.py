"""Shell completion of `impulse`: a script that the shell evaluates."""

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any, Union

import tyro
from tyro import conf

from impulse_training.cli.framework.parsing import CONFIG, with_json
from impulse_training.cli.framework.tree import ROWS, Row, below


@dataclass(frozen=True)
class Nothing:
    """The options of a group of commands: none."""


def script(shell: str) -> str:
    """Return the script for a shell, made from the options of every command."""
    import contextlib
    import io

    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        tyro.cli(
            _one_of({name: _options(ROWS[name]) for name in ROWS if " " not in name}),
            prog="impulse",
            args=["--tyro-print-completion", shell],
            config=(*CONFIG, conf.OmitArgPrefixes),
        )
    completion = text.getvalue()
    if shell == "zsh":
        # tyro writes the script for a folder of functions; when evaluated, it must register itself.
        body, call, _ = completion.rpartition('_tyro_impulse "$@"')
        assert call
        return f"{body}compdef _tyro_impulse impulse"
    return completion


def _options(row: Row) -> type:
    """Return a dataclass of what may follow a command: its options, and its subcommands."""
    kind = Nothing if row.is_group else row.options
    options = with_json(kind) if not row.is_group and row.declared.has_json else kind
    lower = {name: _options(one) for name, one in below(row.name).items()}
    if not lower:
        return options
    field = ("command", _one_of(lower), dataclasses.field(kw_only=True))
    return dataclasses.make_dataclass(kind.__name__, [field], bases=(options,), frozen=True)


def _one_of(kinds: dict[str, type]) -> Any:
    """Return the union of dataclasses, each annotated with its command's name."""
    words = [
        Annotated[Any, conf.subcommand(name=name, constructor=kind, prefix_name=False)]
        for name, kind in kinds.items()
    ]
    return Union[(*words, Annotated[None, conf.Suppress])]  # one member alone would not be a union

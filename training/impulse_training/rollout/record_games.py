"""Records of games between agents: the command `impulse record`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_env.errors import ImpulseError
from impulse_env.files import check_output
from impulse_env.options import Options, check_least
from impulse_env.records.record import Header, Record, SeatedAgent, record_of


class RecordingError(ImpulseError, ValueError):
    """Games cannot be recorded as asked; the message says why."""


@dataclass(frozen=True)
class Args:
    """Play games between agents and write a record of each."""

    agents: tuple[str, ...]
    """One for every seat, or one for each; they move one seat on from game to game."""
    players: int | None = None
    """Players of a game, 2 to 6; as many as agents are named if not given."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1
    """How many."""
    seed: int = 0
    """Of the first game; the next ones have the numbers that follow."""
    out: Path = Path("runs/games")
    """Folder for the records, SEED.jsonl each; a record that is there is written again."""


def record_game(agents: Sequence[Agent], options: Options, seed: int) -> Record:
    """Return the record of a game.

    Args:
        agents: The one on every seat.
        options: Of the game.
        seed: Of the deal and the agents.
    """
    seats = range(options.players)
    seeds = [int(np.random.default_rng([seed, seat]).integers(1 << 53)) for seat in seats]
    seated = tuple(SeatedAgent(agents[seat].name, seeds[seat]) for seat in seats)
    header = Header(options, seated, seed=seed)
    game, rngs = header.new_game(), [np.random.default_rng(one) for one in seeds]
    actions = []
    while game.seat is not None:
        actions.append(agents[game.seat].act_in_game(game, rngs[game.seat]))
        game.step(actions[-1])
    return record_of(header, actions)


def main(args: Args) -> dict[str, Any]:
    """Play, write, and print the names of the files.

    Raises:
        AgentError: There is no such agent, or it cannot play these games.
        OptionError: There is no such game.
        OutputError: The folder cannot be written.
        RecordingError: The agents do not fill the seats.
    """
    options = Options(args.players or max(2, len(args.agents)), args.team_size)
    if len(args.agents) not in (1, options.players):
        raise RecordingError(
            f"one agent, or one for each of {options.players} seats; not {len(args.agents)}"
        )
    check_least(args, 1, "games")
    check_least(args, 0, "seed")
    check_output("--out", args.out, is_folder=True)
    made = {name: registry.make(name) for name in args.agents}
    names = args.agents * (options.players // len(args.agents))
    written = []
    for number in range(args.games):
        turned = [names[(seat - number) % options.players] for seat in range(options.players)]
        record = record_game([made[name] for name in turned], options, args.seed + number)
        path = args.out / f"{args.seed + number}.jsonl"
        record.save(path)
        print(path)
        written.append(str(path))
    return {"records": written}

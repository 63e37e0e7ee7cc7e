"""The options of a game for clients, and the game that they describe."""

import asyncio
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from impulse_agents import registry
from impulse_agents.base import AgentError
from impulse_env.engine.constants import Seat
from impulse_env.files import check_output
from impulse_env.game import Game
from impulse_env.options import OptionError, Options, check_least
from impulse_env.records.record import Header, Result, SeatedAgent
from impulse_env.records.writer import Writer
from impulse_table.mcp.hosted import Hosted, seats_of_agents

CLIENT: Final = "mcp"
"""The player of a client's seat in a record."""


@dataclass(frozen=True)
class McpArgs:
    """Options of a game for clients of the Model Context Protocol."""

    seat: tuple[int, ...] = (0,)
    """Seats of clients; several need --port."""
    watch: bool = False
    """Agents play all seats, and the client watches."""
    opponents: tuple[str, ...] = ("greedy",)
    """One agent for all other seats, or one for each, in the order of seats."""
    players: int = 2
    """Number of players, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    seed: int | None = None
    """Seed of the deal and the agents; random by default."""
    port: int | None = None
    """Serve over HTTP on this port of this machine, with a link for each seat and one for
    spectators. Without it, serve one client over standard input and output."""
    pace: float = 0.0
    """Seconds between two decisions of agents."""
    no_legal: bool = False
    """Do not list the legal actions to clients."""
    record: Path | None = None
    """New file for the record of the game."""


def serve(args: McpArgs) -> None:
    """Serve until the client leaves, or until Ctrl-C.

    Raises:
        AgentError: An agent does not exist, cannot play, or failed.
        OptionError: The options are impossible.
        OSError: The record cannot be written, or the port cannot be used.
    """
    if args.record is not None:
        check_output("--record", args.record)
    from impulse_table.mcp import protocol  # needs the extra `mcp`

    hosted, writer = _hosted(args)
    over = (
        protocol.over_stdio(hosted) if args.port is None else protocol.over_http(hosted, args.port)
    )
    # A client that closes its end, or Ctrl-C, is the usual end.
    try:
        asyncio.run(over)
    except KeyboardInterrupt:
        pass
    finally:
        if writer is not None:
            why = "" if hosted.game.is_over else hosted.stopped or "the server was stopped"
            writer.end(Result.of(hosted.game, why))
    if hosted.stopped:
        raise AgentError(hosted.stopped)


def _hosted(args: McpArgs) -> tuple[Hosted, Writer | None]:
    check_least(args, 0, "seed")
    check_least(args, 0, "pace")
    options = Options(args.players, args.team_size)
    clients = () if args.watch else tuple(dict.fromkeys(args.seat))
    for seat in clients:
        if not 0 <= seat < options.players:
            raise OptionError(f"seat must be from 0 to {options.players - 1}, not {seat}")
    if args.port is not None and not 0 < args.port < 1 << 16:
        raise OptionError(f"port must be from 1 to 65535, not {args.port}")
    if len(clients) > 1 and args.port is None:
        raise OptionError(f"{len(clients)} seats need --port, which gives each of them a link")
    names = {}
    if len(clients) < options.players:
        names = seats_of_agents(args.opponents, clients, options.players)
    agents = {seat: registry.make(name) for seat, name in names.items()}
    for agent in agents.values():
        agent.check_players(options.players)
    seed = secrets.randbelow(1 << 53) if args.seed is None else args.seed
    rngs = {seat: np.random.default_rng([seed, seat]) for seat in agents}
    writer = _writer(args.record, options, names, seed)
    hosted = Hosted(
        Game(options.players, seed, team_size=options.team_size),
        agents,
        rngs,
        with_legal=not args.no_legal,
        pace=args.pace,
        note=None if writer is None else writer.add,
    )
    return hosted, writer


def _writer(
    path: Path | None, options: Options, names: dict[Seat, str], seed: int
) -> Writer | None:
    if path is None:
        return None
    seated = tuple(SeatedAgent(names.get(seat, CLIENT)) for seat in range(options.players))
    try:
        return Writer(path, Header(options, seated, seed=seed))
    except FileExistsError as error:
        raise OptionError(f"{path} already exists; name a new file for the record") from error

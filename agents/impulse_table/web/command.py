"""Serve the table in the browser, on this machine or a home network."""

import asyncio
import errno
import logging
import os
import webbrowser
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Final

from aiohttp import web

from impulse_agents import registry
from impulse_agents.asking.limits import Limits
from impulse_env.files import check_output
from impulse_table.sessions.startup_check import check_tables
from impulse_table.web import logs
from impulse_table.web.access import link_for, qr_code
from impulse_table.web.invitations import Invitations
from impulse_table.web.listening import ServerArgs, ServerError, clock_of, site_of
from impulse_table.web.server import Server
from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

_TIME: Final = 120.0
"""Seconds that an agent may take for a decision."""

_log: Final = logging.getLogger(__name__)


def serve(args: ServerArgs) -> None:
    """Serve until Ctrl-C.

    Raises:
        AgentError: One of `args.agents` cannot be created.
        LimitError: The time limit is not possible.
        OutputError: The folder cannot be written to.
        ServerError: The address, the port, the certificate or the clock cannot be used.
    """
    site, clock = site_of(args), clock_of(args.clock)
    limits = Limits(_TIME if args.time_limit is None else args.time_limit)
    for name in args.agents:
        registry.make(name)
    check_output("--dir", args.dir, is_folder=True)
    logs.configure(args.log_level)
    address = f"{site.origin}/"

    def welcome(text: str) -> None:
        print(f"Play at {address} (Ctrl-C stops the server; games stay in {args.dir})", flush=True)
        own = address
        if server.invitations is not None:
            own = _invite(server.invitations, site.origin)
        if not args.no_open:
            webbrowser.open(own)

    async def warm_up(app: web.Application) -> AsyncIterator[None]:
        """Start the first agent's process while a person fills in the first form."""
        warming = asyncio.create_task(_get_ready(server, workers))
        yield
        warming.cancel()
        with suppress(asyncio.CancelledError):
            await warming

    # On a new machine this compiles for minutes. It runs here, so that the terminal shows it and
    # no page waits.
    agent_tasks.warm_up()
    workers = WorkerPool(partial(agent_tasks.warm_up, args.agents), timeout=limits.time)
    server = Server(args.dir, workers, args.agents, site, clock)
    app = server.app()
    app.cleanup_ctx.append(warm_up)
    try:
        web.run_app(
            app,
            host=site.host,
            port=site.port,
            ssl_context=site.tls,
            print=welcome,
            access_log=None,
        )
    except OSError as error:
        # Since Python 3.13 asyncio sets no number if the host has no address of this machine.
        number = error.errno or errno.EADDRNOTAVAIL
        if number not in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL):
            raise
        advice = "an address of this machine" if number == errno.EADDRNOTAVAIL else "--port"
        raise ServerError(
            f"{address} cannot be used ({os.strerror(number)}); try {advice}"
        ) from error
    finally:
        workers.close()


def _invite(invitations: Invitations, origin: str) -> str:
    """Print a link for the person who started the server and one for a guest; return the first."""
    own, guest = (link_for(origin, invitations.new()) for _ in range(2))
    print("Each of these links lets one browser in, once:")
    print(f"  for you      {own}")
    print(f"  for a guest  {guest}")
    with suppress(UnicodeEncodeError):  # a terminal without block characters shows no QR code
        qr_code(guest).terminal(compact=True)
    print("More links: Invite somebody, on the start page.", flush=True)
    return own


async def _get_ready(server: Server, workers: WorkerPool) -> None:
    """Start the first process, then check the saved tables."""
    try:
        await workers.prepare()
    except WorkerError as error:
        _log.warning("no process for agents could be started: %s", error)
    await check_tables(server.store, workers)

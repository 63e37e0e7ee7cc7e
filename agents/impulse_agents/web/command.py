"""Serve the table in the browser on this machine."""

import asyncio
import errno
import webbrowser
from collections.abc import AsyncIterator
from functools import partial

from aiohttp import web

from impulse_agents import registry
from impulse_agents.advice import worker_tasks
from impulse_agents.advice.worker_pool import WorkerPool
from impulse_agents.web.config import ServerArgs
from impulse_agents.web.request_guard import LOOPBACK
from impulse_agents.web.server import Server
from impulse_env.errors import ImpulseError
from impulse_env.options import check_least


class ServerError(ImpulseError, OSError):
    """The table cannot be served there; the message says why."""


def serve(args: ServerArgs) -> None:
    """Serve until Ctrl-C.

    Raises:
        AgentError: One of `args.agents` cannot be made.
        ServerError: The port cannot be used.
    """
    if not 0 <= args.port < 1 << 16:
        raise ServerError(f"port must be from 0 to 65535, not {args.port}")
    check_least(args, 1, "timeout")
    for name in args.agents:
        registry.make(name)
    address = f"http://{LOOPBACK}:{args.port}/"

    def welcome(text: str) -> None:
        print(f"Play at {address} (Ctrl-C stops the server; games stay in {args.dir})", flush=True)
        if not args.no_open:
            webbrowser.open(address)

    async def warm_up(app: web.Application) -> AsyncIterator[None]:
        """Let the first agent's process start while the first form is filled in."""
        warming = asyncio.create_task(workers.prepare())
        yield
        warming.cancel()

    # On a new machine this compiles, which takes minutes: here it can be seen, and no page waits.
    worker_tasks.warm_up()
    workers = WorkerPool(partial(worker_tasks.warm_up, args.agents), timeout=args.timeout)
    app = Server(args.dir, workers, args.agents).app()
    app.cleanup_ctx.append(warm_up)
    try:
        web.run_app(app, host=LOOPBACK, port=args.port, print=welcome, access_log=None)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        raise ServerError(f"{address} cannot be used ({error.strerror}); try --port") from error
    finally:
        workers.close()

"""Serve the table in the browser on this machine: `python -m impulse_agents.web --port 8765`."""

import argparse
import asyncio
import errno
import sys
import webbrowser
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

try:
    from aiohttp import web

    from impulse_agents.advice import worker_tasks
    from impulse_agents.advice.worker_pool import WorkerPool
    from impulse_agents.web.server import Server
except ModuleNotFoundError as missing:
    if missing.name not in ("aiohttp", "pydantic"):
        raise
    sys.exit(f'error: {missing.name} is missing: pip install -e ".[play]", or `make install`')

from impulse_agents.web.request_guard import LOOPBACK

FOLDER: Final = Path("runs/play")


def main() -> int:
    """Serve until Ctrl-C; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m impulse_agents.web", description=__doc__)
    parser.add_argument("--port", type=int, default=8765, help="where to listen on loopback")
    parser.add_argument("--dir", type=Path, default=FOLDER, help="where the games are kept")
    parser.add_argument(
        "--timeout", type=float, default=120.0, help="seconds that an agent may think"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the page")
    args = parser.parse_args()
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
    workers = WorkerPool(worker_tasks.warm_up, timeout=args.timeout)
    app = Server(args.dir, workers).app()
    app.cleanup_ctx.append(warm_up)
    try:
        web.run_app(app, host=LOOPBACK, port=args.port, print=welcome, access_log=None)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        print(f"error: {address} cannot be used ({error.strerror}); try --port", file=sys.stderr)
        return 2
    finally:
        workers.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

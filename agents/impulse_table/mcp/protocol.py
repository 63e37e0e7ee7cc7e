"""The protocol's server, by the official SDK.

Over standard input and output one client plays one seat, or watches. Over HTTP each seat has a link
of its own with a secret token, and spectators have another. No client can begin the game again.
"""

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)
from starlette.applications import Starlette
from starlette.routing import Mount

from impulse_env import __version__
from impulse_env.engine.constants import NO_SEAT, Seat
from impulse_env.language import ReplyError
from impulse_env.language.calls import SIGNATURES
from impulse_env.options import OptionError
from impulse_table.mcp.hosted import Hosted
from impulse_table.mcp.tools import answer, tools_of

LOOPBACK: Final = "127.0.0.1"


def server_for(hosted: Hosted, viewer: Seat) -> Server[Any]:
    """Return the protocol's server for a client's seat, or for spectators (`NO_SEAT`)."""

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=tool.schema,
                    annotations=ToolAnnotations(read_only_hint=tool.name not in SIGNATURES),
                )
                for tool in tools_of(viewer)
            ]
        )

    async def call_tool(context: Any, params: CallToolRequestParams) -> CallToolResult:
        try:
            text = await answer(hosted, viewer, params.name, params.arguments or {})
            is_error = False
        except ReplyError as error:
            text, is_error = f"Refused: {error}.", True
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)

    return Server(
        "impulse",
        version=__version__,
        instructions=_instructions(viewer),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _instructions(viewer: Seat) -> str:
    if viewer == NO_SEAT:
        return "You watch a game of Impulse. Call rules once, then wait for events."
    return (
        f"You play seat {viewer} of a game of Impulse. Call rules once, then look. When you must "
        "decide, call the tool of your action; otherwise call wait."
    )


async def over_stdio(hosted: Hosted) -> None:
    """Serve the only client's seat, or a spectator, until standard input ends."""
    server = server_for(hosted, hosted.clients[0] if hosted.clients else NO_SEAT)
    async with _playing(hosted), stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


@asynccontextmanager
async def _playing(hosted: Hosted) -> AsyncIterator[None]:
    task = asyncio.create_task(hosted.play())
    try:
        yield
    finally:
        task.cancel()


def http_app(hosted: Hosted) -> tuple[Starlette, dict[Seat, str]]:
    """Return the web application, and the path of each client's seat and of spectators."""
    paths, mounts, servers = {}, [], []
    for viewer in (*hosted.clients, NO_SEAT):
        token = secrets.token_urlsafe(24)
        server = server_for(hosted, viewer)
        mounts.append(Mount(f"/{token}", app=server.streamable_http_app(host=LOOPBACK)))
        paths[viewer] = f"/{token}/mcp"
        servers.append(server)

    @asynccontextmanager
    async def running(app: Any) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for server in servers:
                await stack.enter_async_context(server.session_manager.run())
            await stack.enter_async_context(_playing(hosted))
            yield

    return Starlette(routes=mounts, lifespan=running), paths


async def over_http(hosted: Hosted, port: int) -> None:
    """Print the links and serve until Ctrl-C; raises `OptionError` if the port cannot be used."""
    app, paths = http_app(hosted)
    for viewer, path in paths.items():
        who = "spectators" if viewer == NO_SEAT else f"seat {viewer}"
        print(f"{who}: http://{LOOPBACK}:{port}{path}", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        app, LOOPBACK, port, log_level="warning", access_log=False, lifespan="on"
    )
    server = uvicorn.Server(config)
    try:
        await server.serve()
    except SystemExit as error:
        raise OptionError(f"port {port} cannot be used; name another") from error

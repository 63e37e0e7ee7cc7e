"""Limits for each client address of a server on a home network."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from impulse_table.web.api.answers import fault

_MOST_ADDRESSES: Final = 4096
_NEW_TABLE: Final = ("/api/tables", "/api/today", "/api/first", "/api/analyses")
_THOUGHT: Final = "/api/branches/"


class Buckets:
    """A token bucket for each address.

    Args:
        per_second: Tokens that a bucket gains per second.
        most: Tokens of a full bucket; each bucket starts full.
        clock: Returns seconds, and never goes back.
    """

    def __init__(
        self, per_second: float, most: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take a token; return 0, or if the bucket is empty the seconds until the next token."""
        now = self._clock()
        left, then = self._left.pop(address, (self._most, now))
        left = min(self._most, left + (now - then) * self._per_second)
        is_enough = left >= 1
        self._left[address] = (left - is_enough, now)
        if len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if is_enough else (1 - left) / self._per_second


class RateLimits:
    """Refuses requests beyond the limits of an address.

    Args:
        requests: Buckets for requests of any kind.
        tables: Buckets for new tables.
        sockets: Pages that one address may have open.
        thoughts: Buckets for questions to agents about branches of a game.
    """

    def __init__(
        self,
        requests: Buckets | None = None,
        tables: Buckets | None = None,
        sockets: int = 40,
        thoughts: Buckets | None = None,
    ) -> None:
        self._requests = requests or Buckets(20, 300)
        self._tables = tables or Buckets(0.1, 20)
        self._thoughts = thoughts or Buckets(1, 100)
        self._most_sockets = sockets
        self._sockets: Counter[str] = Counter()

    @web.middleware
    async def limit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer 429 and one sentence to a request beyond the limits."""
        address = request.remote or ""
        wait = self._requests.wait(address)
        if wait:
            return _too_much("requests", wait)
        if request.method == "POST" and request.path in _NEW_TABLE:
            wait = self._tables.wait(address)
            if wait:
                return _too_much("new tables", wait)
        if request.method == "POST" and request.path.startswith(_THOUGHT):
            wait = self._thoughts.wait(address)
            if wait:
                return _too_much("evaluations by agents", wait)
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return await handler(request)
        if self._sockets[address] >= self._most_sockets:
            return fault(
                429,
                f"Your address has {self._most_sockets} pages open, the maximum: close some.",
            )
        self._sockets[address] += 1
        try:
            return await handler(request)
        finally:
            self._sockets[address] -= 1
            self._sockets += Counter()  # forgets addresses without a page


def _too_much(what: str, wait: float) -> web.Response:
    seconds = int(wait) + 1
    answer = fault(429, f"Your address asks for too many {what}: try again in {seconds} s.")
    answer.headers["Retry-After"] = str(seconds)
    return answer

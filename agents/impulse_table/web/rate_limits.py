"""How much one address may ask of a server on a home network."""

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
    """A budget for each address, which fills up again with time.

    Args:
        per_second: What comes back.
        most: What an address has at first, and at most.
        clock: Seconds that never go back.
    """

    def __init__(
        self, per_second: float, most: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take one from an address's budget; returns 0, or for how many seconds there is none."""
        now = self._clock()
        left, then = self._left.pop(address, (self._most, now))
        left = min(self._most, left + (now - then) * self._per_second)
        is_enough = left >= 1
        self._left[address] = (left - is_enough, now)
        if len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if is_enough else (1 - left) / self._per_second


class RateLimits:
    """Refuses what is too much of an address.

    Args:
        requests: Budget of requests of any kind.
        tables: Budget of new tables.
        sockets: Pages that one address may have open.
        thoughts: Budget of questions to agents about branches of a game.
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
        """Answer 429 in one sentence where it is too much."""
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
                return _too_much("thoughts of agents", wait)
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return await handler(request)
        if self._sockets[address] >= self._most_sockets:
            return fault(
                429,
                f"Your address has {self._most_sockets} pages open, which is the most: close some.",
            )
        self._sockets[address] += 1
        try:
            return await handler(request)
        finally:
            self._sockets[address] -= 1
            self._sockets += Counter()  # forgets who has none


def _too_much(what: str, wait: float) -> web.Response:
    seconds = int(wait) + 1
    answer = fault(429, f"Your address asks for too many {what}: try again in {seconds} s.")
    answer.headers["Retry-After"] = str(seconds)
    return answer

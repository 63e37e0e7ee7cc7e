"""One-time links: the server admits the first browser that opens one, and gives it a secret."""

import hashlib
import secrets
from collections import OrderedDict
from pathlib import Path
from typing import Final

from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically

_BYTES: Final = 16
_MOST_OPEN: Final = 200
_MOST_USED: Final = 1000
_MOST_VISITORS: Final = 1000
_HOW_TO: Final = (
    "ask its sender for a new one (Invite somebody, on the start page), or start the server again"
)


class InvitationError(ImpulseError, ValueError):
    """A link is used up or unknown; the message says how to get a new one."""


class Invitations:
    """Unused links, and the browsers that have used one.

    Args:
        path: File with the digests of the admitted browsers' secrets; it outlives the server.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open: OrderedDict[str, str] = OrderedDict()
        self._used: OrderedDict[str, None] = OrderedDict()
        known = path.read_text(encoding="ascii", errors="replace") if path.is_file() else ""
        self._visitors = OrderedDict.fromkeys(known.split())

    def new(self, to: str = "/") -> str:
        """Return the token of a new link.

        Only the newest 200 unused links stay valid.

        Args:
            to: The page that it leads to.
        """
        token = secrets.token_urlsafe(_BYTES)
        self._open[_digest(token)] = to
        if len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)
        return token

    def use(self, token: str) -> tuple[str, str]:
        """Admit a browser; return its secret, and the page that the link leads to.

        Raises:
            InvitationError: The link was used, or does not exist.
            OSError: The file cannot be written; the link stays valid.
        """
        digest = _digest(token)
        if digest in self._used:
            raise InvitationError(f"This link has been used already, and works once: {_HOW_TO}.")
        if digest not in self._open:
            raise InvitationError(f"This link is no longer valid: {_HOW_TO}.")
        secret = secrets.token_urlsafe(_BYTES)
        self._remember(_digest(secret))
        self._used[digest] = None
        if len(self._used) > _MOST_USED:
            self._used.popitem(last=False)
        return secret, self._open.pop(digest)

    def knows(self, secret: str) -> bool:
        """Whether this is the secret of an admitted browser."""
        return _digest(secret) in self._visitors

    def _remember(self, visitor: str) -> None:
        visitors = [*self._visitors, visitor][-_MOST_VISITORS:]
        write_atomically(self._path, "\n".join(visitors), mode=0o600)
        self._visitors = OrderedDict.fromkeys(visitors)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()

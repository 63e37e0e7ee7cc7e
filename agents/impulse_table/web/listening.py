"""Options of the table in the browser, and its address: this machine alone, or a home network."""

import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from impulse_env.errors import ImpulseError

LOOPBACK: Final = "127.0.0.1"
_CLOCKS: Final = {"s": ("turn_seconds", 5, 3600), "m": ("game_minutes", 1, 600)}
"""Field, least and largest value of a clock, by its unit."""
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True)
class ServerArgs:
    """Options of the server."""

    port: int = 8765
    """In the browser: port on loopback."""
    listen: str | None = None
    """In the browser: an address of this machine, such as 192.168.1.7 or 192.168.1.7:8765, so that
    others on a home network can play; without it, this machine alone."""
    tls_cert: Path | None = None
    """In the browser: certificate file (PEM), to serve over https; needs --tls-key."""
    tls_key: Path | None = None
    """In the browser: file with the certificate's key (PEM), without a password."""
    dir: Path = Path("runs/play")
    """In the browser: folder for saved games."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; in the browser, 120 by default."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """In the browser: lowest level of messages on standard error; debug adds tracebacks."""
    no_open: bool = False
    """In the browser: do not open the page."""
    clock: tuple[str, ...] = ()
    """In the browser: clock of people at new tables, such as 90s for each turn, 30m for the game,
    or both. An agent plays for a person without time."""
    agents: tuple[str, ...] = ()
    """In the browser: your own agents to offer, such as my_agent.py:Best. The server loads no
    other code."""


class ServerError(ImpulseError, OSError):
    """The server cannot use an address, port or certificate; the message says why."""


@dataclass(frozen=True)
class Site:
    """Address and names of the server.

    Attributes:
        host: The address that it listens on.
        port: Its port; 0: any free one.
        names: The host names that it answers to; it refuses all others.
        tls: The encryption of its connections; None: none.
    """

    host: str = LOOPBACK
    port: int = 0
    names: tuple[str, ...] = (LOOPBACK, "localhost")
    tls: ssl.SSLContext | None = None

    @property
    def scheme(self) -> str:
        """Return ``http`` or ``https``."""
        return "http" if self.tls is None else "https"

    @property
    def is_shared(self) -> bool:
        """Whether other machines reach it."""
        return not ipaddress.ip_address(self.host).is_loopback

    def origins(self, port: int) -> tuple[str, ...]:
        """Return the origins of its own pages if it listens on this port."""
        suffix = "" if port == _DEFAULT_PORTS[self.scheme] else f":{port}"
        return tuple(f"{self.scheme}://{name}{suffix}" for name in self.names)

    @property
    def origin(self) -> str:
        """The first of its origins."""
        return self.origins(self.port)[0]


def clock_of(words: tuple[str, ...]) -> dict[str, int]:
    """Return the fields of `NewTable` for a clock; raises `ServerError`."""
    fields: dict[str, int] = {}
    for word in words:
        known = _CLOCKS.get(word[-1:])
        number = int(word[:-1]) if word[:-1].isascii() and word[:-1].isdecimal() else 0
        if known is None or known[0] in fields or not known[1] <= number <= known[2]:
            raise ServerError(
                "clock must be seconds for each turn, 5s to 3600s, minutes for the game, 1m to "
                f"600m, or both, not {' '.join(words)!r}"
            )
        fields[known[0]] = number
    return fields


def site_of(args: ServerArgs) -> Site:
    """Return the address to listen on, which nothing opens here; raises `ServerError`."""
    tls = _tls(args.tls_cert, args.tls_key)
    if args.listen is None:
        return Site(port=_checked_port(args.port), tls=tls)
    address, port = _split(args.listen, args.port)
    name = f"[{address}]" if address.version == 6 else str(address)
    return Site(str(address), _checked_port(port), (name,), tls)


def _checked_port(port: int) -> int:
    if not 0 <= port < 1 << 16:
        raise ServerError(f"port must be from 0 to 65535, not {port}")
    return port


def _split(
    text: str, default_port: int
) -> tuple[ipaddress.IPv4Address | ipaddress.IPv6Address, int]:
    host, port = text, ""
    if text.startswith("[") and "]" in text:
        host, _, port = text[1:].partition("]")
        port = port.removeprefix(":")
    elif text.count(":") == 1:
        host, port = text.split(":")
    try:
        address = ipaddress.ip_address(host)
        number = int(port) if port else default_port
    except ValueError:
        raise ServerError(
            "listen must be an address of this machine, such as 192.168.1.7 or 192.168.1.7:8765, "
            f"not {text!r}"
        ) from None
    if address.is_unspecified or address.is_multicast:
        raise ServerError(
            f"listen must be one address of this machine, such as 192.168.1.7: {address} is not a "
            "single address, and the pages answer only to their own name"
        )
    return address, number


def _tls(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise ServerError("tls-cert and tls-key go together: give both files or neither")
    for path in (certificate, key):
        if not path.is_file():
            raise ServerError(f"file {path} does not exist: tls-cert and tls-key are PEM files")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        # Without a password here, a key that has one would ask for it on the terminal.
        context.load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:
        raise ServerError(
            f"{certificate} and {key} are not a certificate with its key ({error.args[-1]}): use "
            "two PEM files that belong together and need no password"
        ) from error
    return context

"""Options of the table in the browser; no web library is needed to read them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class ServerArgs:
    """Where the table is served, and what can be chosen there."""

    port: int = 8765
    """In the browser: where to listen on loopback."""
    listen: str | None = None
    """In the browser: an address of this machine, such as 192.168.1.7 or 192.168.1.7:8765, to let
    others on a home network play; without it, this machine alone."""
    tls_cert: Path | None = None
    """In the browser: file with a certificate, PEM, to serve by https; with --tls-key."""
    tls_key: Path | None = None
    """In the browser: file with the certificate's key, PEM, without a password."""
    dir: Path = Path("runs/play")
    """In the browser: folder where the games are kept."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; in the browser 120 if not given."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """In the browser: what is written to standard error; debug shows where errors were raised."""
    no_open: bool = False
    """In the browser: do not open the page."""
    agents: tuple[str, ...] = ()
    """In the browser: agents of your own to choose from, such as my_agent.py:Best. Code is loaded
    for nobody but these."""

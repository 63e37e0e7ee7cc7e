"""A stand-in for the Hugging Face Hub: files of repositories, by revision, over HTTP."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Hub:
    """The files of the stand-in, and the requests to it.

    Attributes:
        url: Where it is.
        files: Contents by repository, commit and file.
        revisions: Commits by repository and branch or tag.
        asked: Each request's method and path.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.files: dict[tuple[str, str, str], bytes] = {}
        self.revisions: dict[tuple[str, str], str] = {}
        self.asked: list[str] = []

    def commit(self, repository: str, revision: str, **files: bytes) -> str:
        """Put files, whose names have _ for a dot, on a branch; return the commit."""
        made = hashlib.sha1(repr((repository, files)).encode()).hexdigest()
        self.revisions |= {(repository, revision): made, (repository, made): made}
        for name, content in files.items():
            self.files[repository, made, name.replace("_", ".")] = content
        return made


@contextmanager
def serving() -> Iterator[Hub]:
    """Yield a hub that answers on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(has_body=False)

        def do_GET(self) -> None:
            self._answer(has_body=True)

        def _answer(self, has_body: bool) -> None:
            hub.asked.append(f"{self.command} {self.path}")
            found = re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", self.path)
            repository, revision, name = found.groups() if found else ("", "", "")
            commit = hub.revisions.get((repository, revision))
            content = hub.files.get((repository, commit or "", name))
            if content is None:
                known = any(repository == one for one, _ in hub.revisions)
                fault = (
                    "EntryNotFound" if commit else "RevisionNotFound" if known else "RepoNotFound"
                )
                self.send_response(404)
                self.send_header("X-Error-Code", fault)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(200)
            self.send_header("X-Repo-Commit", commit)
            self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if has_body:
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub = Hub(f"http://127.0.0.1:{server.server_port}")
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()

"""A website on loopback: what each address answers, and what was asked of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Headers = Mapping[str, str]


@dataclass(slots=True)
class Given:
    """An answer. `body` may be made at each request, of its headers."""

    body: str | bytes | Callable[[Headers], bytes] = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "text/html; charset=utf-8"
    delay_s: float = 0.0


def page(text: str, *links: str, title: str = "", head: str = "") -> Given:
    """A page with this text, and links to others."""
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return Given(
        f"<html><head><title>{title}</title>{head}</head><body><nav><ul>{anchors}</ul></nav>"
        f"<main><h1>{title or 'Page'}</h1><p>{text}</p></main></body></html>"
    )


def redirect(to: str, status: int = 302) -> Given:
    return Given(status=status, headers={"Location": to})


class Site:
    """`with Site({"/": page("…")}) as site`; `site.pages` may change while it runs."""

    def __init__(self, pages: Mapping[str, Given] | None = None) -> None:
        self.pages: dict[str, Given] = dict(pages or {})
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.times: list[float] = []

    def __enter__(self) -> Self:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.times.append(time.monotonic())
                site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                given = site.pages.get(self.path, Given("Not here", status=404))
                time.sleep(given.delay_s)
                body = given.body(self.headers) if callable(given.body) else given.body  # type: ignore[arg-type]
                content = body.encode() if isinstance(body, str) else body
                tags = {name.lower(): value for name, value in given.headers.items()}
                status = given.status
                if tags.get("etag") and self.headers.get("If-None-Match") == tags["etag"]:
                    status, content = 304, b""
                self.send_response(status)
                for name, value in ({"Content-Type": given.kind} | given.headers).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """Who asks may go away."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}{path}"

    def paths(self) -> list[str]:
        """The pages asked for, in order, without robots.txt and the sitemap."""
        return [path for path, _ in self.asked if path not in ("/robots.txt", "/sitemap.xml")]

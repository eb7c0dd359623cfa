"""A real nginx in front of a service, with the lines of the deployment guide."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me
from launcher.servers import free_port
from tests.egress.receivers import certificate_for

# Debian keeps it where only root looks.
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
GUIDE = (PROJECT_ROOT / "docs/guides/deployment.md").read_text()

# What surrounds the guide's lines: as Debian's own configuration has it, and compressing all it can.
AROUND = """
daemon off;
worker_processes 2;
error_log stderr;
pid {folder}/pid;
{user}
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log {folder}/access.log;
    default_type application/octet-stream;
    sendfile on;
    tcp_nopush on;
    gzip on;
    gzip_proxied any;
    gzip_min_length 1;
    gzip_types *;
    {outside}
    server {{
        listen 127.0.0.1:{port} ssl http2;
        ssl_certificate {certificate};
        ssl_certificate_key {certificate};
        {inside}
    }}
    server {{
        listen 127.0.0.1:{plain_port};
        {inside}
    }}
}}
"""


def guide_lines(heading: str) -> str:
    """The indented lines of the guide that follow a line with that end."""
    found = re.search(rf"{re.escape(heading)}\n\n((?: {{4}}.*\n|\n)+)", GUIDE)
    assert found is not None, heading
    return found[1]


class Nginx:
    """Serves https on `port` and http on `plain_port`, both of this machine alone, until its block ends.

    `ports` says which of the guide's ports are others here; with `upstreams`, there are two processes of each kind.
    """

    def __init__(self, ports: Mapping[int, int], *, upstreams: bool = False) -> None:
        self.port, self.plain_port = free_port(), free_port()
        self._ports, self._has_upstreams = ports, upstreams
        self._folder = tempfile.TemporaryDirectory(prefix="parley-nginx-")
        self.folder = Path(self._folder.name)
        _, self.trusted = certificate_for("localhost", self.folder)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def realtime_url(self) -> str:
        return f"wss://localhost:{self.port}"

    def tls(self) -> ssl.SSLContext:
        """A client's, which trusts it."""
        return ssl.create_default_context(cafile=str(self.trusted))

    def configure(self) -> Path:
        inside, outside = guide_lines("With nginx:"), ""
        if self._has_upstreams:
            outside = guide_lines("instead of the addresses:")
            for port, name in ((8000, "parley_web"), (8001, "parley_realtime")):
                inside = inside.replace(f"127.0.0.1:{port};", f"{name};")
        for port, here in self._ports.items():
            inside = inside.replace(f"127.0.0.1:{port};", f"127.0.0.1:{here};")
            outside = outside.replace(f"127.0.0.1:{port} ", f"127.0.0.1:{here} ")
        configuration = AROUND.format(
            folder=self.folder,
            user="user root;" if os.geteuid() == 0 else "",  # else its workers may not enter the folder
            outside=outside,
            inside=inside,
            port=self.port,
            plain_port=self.plain_port,
            certificate=self.folder / "localhost.pem",
        )
        file = self.folder / "nginx.conf"
        file.write_text(configuration)
        return file

    def __enter__(self) -> Self:
        assert NGINX is not None
        file = self.configure()
        with (self.folder / "error.log").open("wb") as errors:
            self._process = subprocess.Popen(
                [NGINX, "-c", str(file), "-p", str(self.folder), "-e", "stderr"],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                preexec_fn=dying_with_me(signal.SIGTERM),
            )
        deadline = time.monotonic() + 20
        while not self._answers():
            assert self._process.poll() is None, self.errors
            assert time.monotonic() < deadline, self.errors
            time.sleep(0.02)
        return self

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.plain_port), timeout=1):
            return True
        return False

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()

    @property
    def errors(self) -> str:
        return (self.folder / "error.log").read_text(errors="replace")

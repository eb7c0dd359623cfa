"""The WSGI environ of a request."""

import sys
from functools import lru_cache
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from config.serving.answers import FileToSend

Environ = dict[str, Any]


def environ_of(scope: dict[str, Any]) -> Environ:
    """The environ (PEP 3333) of an ASGI request, without its body.

    Header lines of one name are joined. Headers with `_` in their name are left out: they could pass for another's.
    """
    host, port = scope["server"] or ("", None)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "HTTP_HOST": "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileToSend,
    }
    for name, value in scope["headers"]:
        key = _key_of(name)
        if key is None:
            continue
        text = value.decode("latin-1")
        if environ.get(key):
            text = f"{environ[key]}{';' if key == 'HTTP_COOKIE' else ','}{text}"
        environ[key] = text
    return environ


@lru_cache(maxsize=512)
def _key_of(name: bytes) -> str | None:
    if b"_" in name:
        return None
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"

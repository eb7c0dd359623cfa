"""A resolver that is silent: Python imports this at its start where PYTHONPATH names the folder.

Names below `silent.test` are asked of a DNS server on loopback that takes questions and never answers; after as long as
libc waits by default, they do not resolve. Which servers libc itself asks is the machine's affair, not a process's, so
this stands in its place. All other names are the system's.
"""

import os
import socket
from typing import Any

LIBC_WAITS_S = 10.0
_system = socket.getaddrinfo


def getaddrinfo(host: Any, *args: Any, **options: Any) -> Any:
    if not str(host).endswith(".silent.test"):
        return _system(host, *args, **options)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as question:
        question.settimeout(LIBC_WAITS_S)
        question.connect(("127.0.0.1", int(os.environ["SILENT_DNS_PORT"])))
        try:
            question.send(str(host).encode())
            question.recv(512)
        except TimeoutError:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution") from None
    raise AssertionError("it answered")


socket.getaddrinfo = getaddrinfo

"""An application for a server with several processes, of which a call can make one spin."""

import os
from typing import Any

from config.loop import Living


async def answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "http" and scope["path"] == "/spin":
        spin_for_ever()
    raise NotImplementedError


def spin_for_ever() -> None:
    while True:
        pass


application = Living(answer, "web", os.environ["PULSE_DIR"])

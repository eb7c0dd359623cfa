"""Beside the service `make run` plays a receiver of the demo's webhooks, and a model with visitors of its widget.

Each listens on loopback, at a port of its own, which calls of the service may reach while it runs.
"""

import shlex
import sys
from collections.abc import Collection, Mapping
from typing import Any

from config.environment import Environment
from launcher.servers import free_port, port_is_free

# Where they listen in a run at the usual ports.
RECEIVER_PORT, MODEL_PORT = 8098, 8097
PLAYED_PORTS = ("DEMO_RECEIVER_PORT", "DEMO_MODEL_PORT")


def with_played(given: Mapping[str, str], *, has_demo: bool) -> dict[str, str]:
    """The ports of the played services, 0 for one that is not played, and the addresses that calls may reach for
    them."""
    left_out = given.get("PARLEY_WITHOUT_APPS", "")
    plays = {
        "DEMO_RECEIVER_PORT": not any(name in left_out for name in ("apps.webhooks", "apps.demo")),
        "DEMO_MODEL_PORT": has_demo and not any(name in left_out for name in ("apps.ai", "apps.kb", "apps.demo")),
    }
    found: dict[str, str] = {}
    for name, usual in zip(PLAYED_PORTS, (RECEIVER_PORT, MODEL_PORT), strict=True):
        taken = {*found.values(), *_named(given)}
        found[name] = (given.get(name) or str(_port(given, usual, taken))) if plays[name] else "0"
    played = [f"127.0.0.1:{port}" for port in found.values() if port != "0"]
    allowed = [given["EGRESS_ALLOW"]] if "EGRESS_ALLOW" in given else []
    return found | ({"EGRESS_ALLOW": ",".join([*allowed, *played])} if played else {})


def _named(given: Mapping[str, str]) -> set[str]:
    """The ports that others are going to listen at: those of the settings, and of EGRESS_ALLOW on this machine."""
    allowed = (item.strip().rpartition(":") for item in given.get("EGRESS_ALLOW", "").split(","))
    names = ("PORT", "REALTIME_PORT", *PLAYED_PORTS)
    return {port for host, _, port in allowed if host in ("127.0.0.1", "localhost", "[::1]")} | {
        given[name] for name in names if name in given
    }


def _port(given: Mapping[str, str], usual: int, taken: Collection[str]) -> int:
    """The usual port, if that is free; for a run at ports of its own any free one: it may not be alone."""
    others = {*taken, *([str(usual)] if given.keys() & {"PORT", "REALTIME_PORT"} else [])}
    port = usual
    while str(port) in others or not port_is_free("127.0.0.1", port):
        port = free_port()
    return port


def receiver_command(demo: Mapping[str, Any]) -> str | None:
    """The command that receives the demo's webhooks; None if the demo data has none."""
    if "webhook_receiver" not in demo:
        return None
    receiver = demo["webhook_receiver"]
    options = ["--port", str(receiver["port"]), "--secret", receiver["secret"], "--compact"]
    return "exec " + shlex.join([sys.executable, "manage.py", "webhook_listen", *options])


def model_command(demo: Mapping[str, Any], environ: Mapping[str, str], service: str) -> str | None:
    """The command that plays the model and the visitors of the demo's third widget; None if there is no such widget."""
    if not demo.get("played"):
        return None
    options = ["--port", environ["DEMO_MODEL_PORT"], "--guid", demo["played"]["guid"], "--service", service]
    if not Environment(environ).boolean("DEMO_VISITORS", True):
        options.append("--without-visitors")
    return "exec " + shlex.join([sys.executable, "-m", "apps.demo.servers.trial", *options])

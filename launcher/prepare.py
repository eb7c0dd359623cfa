"""The Django part of a start of `make run`, in one process: migrations, static files, demo data.

Prints the demo data as `manage.py seed_demo --json --keep-tokens` does, with `problem` where it can't be brought up to
date; without any, whether an earlier run made some, and whether the demo is installed. The arguments name the servers
that the run starts itself: these are waited for as long as they take, since the run ends when one of them does.
"""

import json
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import django
import redis
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection
from django.utils import timezone

SERVER_SECONDS = 5.0


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    started_here = sys.argv[1:]
    database_s, redis_s = (math.inf if name in started_here else SERVER_SECONDS for name in ("postgres", "valkey"))
    wait_for("database of DATABASE_URL", connection.ensure_connection, OperationalError, seconds=database_s)
    with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2) as client:
        wait_for("Redis of REDIS_URL", client.ping, redis.RedisError, seconds=redis_s)
    call_command("migrate", interactive=False, verbosity=0)
    collect_static_files()
    is_installed = apps.is_installed("apps.demo")
    if os.environ.get("SEED_DEMO") == "0" or not is_installed:
        from apps.demo.data.accounts import is_seeded

        found = {"accounts": [], "is_seeded": is_seeded(), "is_installed": is_installed}
        sys.stdout.write(json.dumps(found))
    else:
        sys.stdout.write(json.dumps(demo_data() | {"played": played_widget()}))


def demo_data() -> dict[str, Any]:
    """The demo data's document; where it can't be brought up to date, the last one, with `problem`, the reason.

    The rows are people's by now, and what they have become can't stop the service.
    """
    from apps.demo import seeding
    from apps.demo.data.inbox import begin_inbox

    try:
        document = seeding.seed(keep_tokens=True)
        begin_inbox(timezone.now())
        return document
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return seeding.last_document() | {"problem": reason[:300]}


def played_widget() -> dict[str, Any] | None:
    """The widget whose model is played; None without one, also where people's changes of the demo stand in its way."""
    from apps.demo.data.played import seed_played

    try:
        return seed_played(settings.DEMO_MODEL_PORT)
    except Exception as error:
        sys.stderr.write(f"parley: the demo's model is not played: {type(error).__name__}: {error}\n")
        return None


def wait_for(server: str, ask: Callable[[], object], failure: type[Exception], *, seconds: float) -> None:
    """Returns once the server answers; ends the process with one line if it does not within `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            ask()
        except failure as error:
            if time.monotonic() > deadline:
                sys.exit(f"parley: the {server} cannot be reached: {' '.join(str(error).split())}")
            time.sleep(0.05)
        else:
            return


def collect_static_files() -> None:
    """Collects them unless none has changed since the last time."""
    if not settings.STATIC_ROOT.exists() or newest_source() > settings.STATIC_ROOT.stat().st_mtime:
        call_command("collectstatic", interactive=False, verbosity=0)
        os.utime(settings.STATIC_ROOT)


def newest_source() -> float:
    """When the latest of the static files changed that the apps bring along, or their folders, in epoch seconds."""
    from django.contrib.staticfiles.finders import get_finders

    newest = 0.0
    for finder in get_finders():
        for path, storage in finder.list(None):
            status = os.stat(storage.path(path))  # noqa: PTH116 - thousands of them
            newest = max(newest, status.st_mtime, status.st_ctime)
    return newest


if __name__ == "__main__":
    main()

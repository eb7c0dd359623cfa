"""`manage.py support_mcp`: the support desk for programs that speak the Model Context Protocol (docs/guides/mcp.md)."""

import os
import re
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

TOKEN = "PARLEY_SUPPORT_TOKEN"  # noqa: S105 - the name of a variable
AGENT = re.compile("[a-z0-9][a-z0-9_.-]{0,47}")


class Command(BaseCommand):
    help = (
        "The support desk as tools of the Model Context Protocol, over standard input and output. The token is read "
        f"from {TOKEN}. Needs requirements/mcp.txt."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--agent", required=True, help="the agent's name, which every action is recorded under")
        parser.add_argument("--url", default=settings.PUBLIC_URL, help="of the service; default PUBLIC_URL")

    def handle(self, *args: Any, **options: Any) -> None:
        token = os.environ.get(TOKEN, "")
        if not token:
            raise CommandError(f"{TOKEN} is not set: it holds the token of the support desk")
        if not AGENT.fullmatch(options["agent"]):
            raise CommandError("--agent takes up to 48 small letters, digits, dots, dashes and underscores")
        try:
            from apps.support.mcp import Desk, server_of
        except ImportError:
            raise CommandError("install it first: pip install -r requirements/mcp.txt") from None
        server_of(Desk(options["url"], token, options["agent"])).run("stdio")

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from apps.accounts import rules
from apps.ai.actions.external import issue_reply_token
from apps.ai.models import ExternalOperator
from apps.ai.rules.actors import SYSTEM
from apps.core.problems import Problem


class Command(BaseCommand):
    help = "Issues an API token that replies for one external operator and prints its plain text, once."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("public_id", metavar="PUBLIC_ID")
        parser.add_argument("--no-escalate", action="store_true", help="The token may not hand chats over by its word.")
        parser.add_argument("--name", default="", metavar="N")
        parser.add_argument("--expires", metavar="ISO", help="Moscow time unless it has an offset; default: never.")
        parser.add_argument("--json", action="store_true", help="Print {id, token} as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        name, expires = options["name"], options["expires"]
        if len(name) > rules.MAX_NAME_LENGTH or not name.isprintable():
            raise CommandError(f"--name takes at most {rules.MAX_NAME_LENGTH} printable characters")
        expires_at = parse_datetime(expires) if expires else None
        if expires and expires_at is None:
            raise CommandError(f"--expires is no ISO 8601 date-time: {expires!r}")
        if expires_at is not None and timezone.is_naive(expires_at):
            expires_at = timezone.make_aware(expires_at)
        operator = ExternalOperator.objects.unscoped("a command of the installation").with_public_id(
            options["public_id"]
        )
        if operator is None:
            raise CommandError(f"there is no external operator {options['public_id']!r}")
        try:
            issued = issue_reply_token(
                operator=operator,
                escalate=not options["no_escalate"],
                name=name,
                expires_at=expires_at,
                actor=SYSTEM,
            )
        except Problem as refused:
            raise CommandError(refused.type.title) from None
        if options["json"]:
            self.stdout.write(json.dumps({"id": issued.token.pk, "token": issued.plain_text}))
        else:
            self.stdout.write(issued.plain_text)
            self.stderr.write(f"token {issued.token.pk}; it is not shown again")

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.accounts.models import Widget
from apps.ai.actions.external import create_external_operator, issue_reply_token
from apps.ai.rules import lifecycle
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.lifecycle import Fallback
from apps.core.parsing.names import control_refusal, name_refusal
from apps.egress import EgressRefused, vet


class Command(BaseCommand):
    help = "Makes an external operator, a draft, and a token that replies for it; prints its secret and token, once."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--widget", required=True, metavar="GUID")
        parser.add_argument("--name", required=True, metavar="N")
        parser.add_argument("--url", required=True, metavar="URL", help="Where turns are posted.")
        parser.add_argument("--reply-timeout", type=int, default=lifecycle.DEFAULT_REPLY_TIMEOUT_S, metavar="S")
        parser.add_argument("--fallback", choices=[one.value for one in Fallback], default=Fallback.HANDOFF.value)
        parser.add_argument("--require-signature", action="store_true", help="Replies must be signed.")
        parser.add_argument("--bearer", metavar="TEXT", help="Sent to the URL as a bearer credential.")
        parser.add_argument("--json", action="store_true", help="Print the ids and secrets as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.with_guid(options["widget"])
        if widget is None:
            raise CommandError(f"there is no widget with the guid {options['widget']!r}")
        name, timeout = options["name"], options["reply_timeout"]
        if refusal := name_refusal(name) or (len(name) > lifecycle.MAX_NAME and "At most 64 characters."):
            raise CommandError(f"--name: {refusal}")
        if not lifecycle.MIN_REPLY_TIMEOUT_S <= timeout <= lifecycle.MAX_REPLY_TIMEOUT_S:
            raise CommandError("--reply-timeout takes 5 to 300 seconds")
        bearer = options["bearer"]
        if bearer and (len(bearer) > lifecycle.MAX_BEARER or control_refusal(bearer) or not bearer.isascii()):
            raise CommandError("--bearer takes at most 1024 ASCII characters")
        try:
            target = vet(options["url"]).url
        except EgressRefused as error:
            raise CommandError(f"--url: {error}") from None
        with transaction.atomic():
            operator = create_external_operator(
                widget=widget,
                name=name,
                url=options["url"],
                target=target,
                actor=SYSTEM,
                reply_timeout_sec=timeout,
                fallback=options["fallback"],
                requires_signed_replies=options["require_signature"],
                bearer=bearer,
            )
            issued = issue_reply_token(operator=operator, actor=SYSTEM)
        made = {
            "public_id": str(operator.public_id),
            "agent_id": operator.agent_id,
            "signing_secret": operator.secret,
            "token_id": issued.token.pk,
            "token": issued.plain_text,
        }
        if options["json"]:
            self.stdout.write(json.dumps(made))
        else:
            for label, value in made.items():
                self.stdout.write(f"{label}: {value}")
            self.stderr.write("The secret and the token are not shown again.")

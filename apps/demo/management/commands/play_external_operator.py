"""`manage.py play_external_operator`: a customer's bot on this machine, for trying external operators out."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actions import revoke_token
from apps.core.problems import Problem
from apps.demo.servers.operator import BEHAVIOURS, PlayedOperator

if TYPE_CHECKING:
    from apps.ai.models import ExternalOperator

DEFAULT_PORT = 8090


class Command(BaseCommand):
    help = (
        "Plays an external operator on this machine, until Ctrl-C: it takes its turns and answers them, with a token "
        "that is issued to it and ends with it. The service calls it only where EGRESS_ALLOW says so: "
        "EGRESS_ALLOW=127.0.0.1:8090."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"default {DEFAULT_PORT}; 0: any free one")
        parser.add_argument("--operator", metavar="PUBLIC_ID", help="default: the newest one of this port's address")
        parser.add_argument(
            "--behaviour",
            choices=BEHAVIOURS,
            default="echo",
            help="echo the question; answer a few (faq); echo after ten seconds (slow); take turns without an answer "
            "(silent); echo and call people (escalate)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not apps.is_installed("apps.ai"):
            raise CommandError("PARLEY_WITHOUT_APPS leaves apps.ai out, whose operators these are")
        from apps.ai.actions.external import issue_reply_token
        from apps.ai.rules.actors import SYSTEM

        operator = self._operator(options["operator"], options["port"])
        try:
            issued = issue_reply_token(operator=operator, name="played", actor=SYSTEM)
        except Problem as refused:
            raise CommandError(refused.type.title) from None
        try:
            played = PlayedOperator(
                options["port"],
                secret=operator.secret or "",
                token=issued.plain_text,
                behaviour=options["behaviour"],
                says=self._say,
            )
            plays = f"plays {operator.agent.full_name} ({options['behaviour']}) at {played.url}/. Ctrl-C ends it."
            played.serve(lambda: self._say(plays))
            self._say("ended")
        except OSError as error:
            raise CommandError(f"port {options['port']}: {error.strerror}; see --port") from None
        finally:
            revoke_token(token=issued.token)

    def _operator(self, public_id: str | None, port: int) -> "ExternalOperator":
        from apps.ai.models import ExternalOperator

        if public_id:
            named = ExternalOperator.objects.unscoped("a command of the installation").with_public_id(public_id)
            if named is None:
                raise CommandError(f"there is no external operator {public_id!r}")
            return named
        there = ExternalOperator.objects.unscoped("a command of the installation").filter(
            target__contains=f":{port}/", deleted_at=None
        )
        found = there.exclude(secret=None).order_by("-id").first()
        if found is None:
            raise CommandError(f"no external operator has an address at port {port}: make one, or see --operator")
        return found

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts import actions
from apps.accounts.models import ApiToken


class Command(BaseCommand):
    help = "Revokes an API token: it is refused at the very next request."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", type=int, metavar="ID")

    def handle(self, *args: Any, **options: Any) -> None:
        token = ApiToken.objects.unscoped("a command of the installation").filter(pk=options["id"]).first()
        if token is None:
            raise CommandError(f"there is no token {options['id']}")
        actions.revoke_token(token=token)
        self.stdout.write(f"token {token.pk} is revoked")

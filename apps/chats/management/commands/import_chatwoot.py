from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.actions.imports import ImportOptions, import_widget
from apps.accounts.models import Account
from apps.agents.models import Agent
from apps.chats.actions.chatwoot import AGENTS, CONTACTS, CONVERSATIONS, convert_chatwoot


class Command(BaseCommand):
    help = "Makes a new widget of what Chatwoot exports: contacts and conversations."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "directory", metavar="DIR", type=Path, help=f"with {CONTACTS}, {CONVERSATIONS} and {AGENTS}"
        )
        parser.add_argument("--account", required=True, metavar="EMAIL", help="whose widget it becomes")
        parser.add_argument("--with-seats", action="store_true", help="a seat for each operator, and one more")
        parser.add_argument("--name", default="Chatwoot", help="what the widget is called")

    def handle(self, *args: Any, **options: Any) -> None:
        account = Account.objects.filter(email__iexact=options["account"]).first()
        if account is None:
            raise CommandError(f"there is no account {options['account']}")
        try:
            made = convert_chatwoot(account=account, directory=options["directory"], name=options["name"])
            options_ = ImportOptions(with_seats=options["with_seats"])
            done = import_widget(account=account, directory=made, options=options_)
        except ImportFailed as error:
            raise CommandError(str(error)) from None
        if nameless := Agent.objects.for_widget(done.widget.pk).filter(email="").count():
            self.stderr.write(f"{nameless} operators have no e-mail address, and cannot sign in: {AGENTS} names none")
        self.stdout.write(f"the widget is {done.widget.guid}")

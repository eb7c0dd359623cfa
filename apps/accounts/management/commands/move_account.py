from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actions import moves
from apps.accounts.actions.exports import ExportFailed
from apps.accounts.actions.imports import ImportFailed
from apps.accounts.models import Account


class Command(BaseCommand):
    help = "Exports all widgets of an account here, or imports them there. What was interrupted goes on."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("way", choices=["out", "in"])
        parser.add_argument("account", metavar="EMAIL", help="the account, which is there already")
        parser.add_argument("directory", metavar="DIR", type=Path, help="a folder, with one a widget")
        parser.add_argument("--keep-numbers", action="store_true", help="rows keep their numbers, which must be free")

    def handle(self, *args: Any, **options: Any) -> None:
        account = Account.objects.filter(email=options["account"]).first()
        if account is None:
            raise CommandError(f"there is no account {options['account']}")
        directory: Path = options["directory"]
        try:
            if options["way"] == "out":
                moved = moves.export_account(account=account, directory=directory)
            else:
                moved = moves.import_account(account=account, directory=directory, keep_numbers=options["keep_numbers"])
        except (ExportFailed, ImportFailed) as error:
            raise CommandError(str(error)) from None
        for guid in moved:
            self.stdout.write(guid)

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actions import imports
from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.models import Account


class Command(BaseCommand):
    help = "Puts an export into a new widget of an account. What was interrupted is finished by the same call."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", metavar="DIR", type=Path, help="the export (of a zip: unpacked)")
        parser.add_argument("--account", required=True, metavar="EMAIL", help="whose widget it becomes")
        for name, about in imports.OPTIONS.items():
            parser.add_argument(f"--{name}", action="store_true", help=about)
        parser.add_argument("--abandon", action="store_true", help="take away what an interrupted call has put in")

    def handle(self, *args: Any, **options: Any) -> None:
        account = Account.objects.filter(email__iexact=options["account"]).first()
        if account is None:
            raise CommandError(f"there is no account {options['account']}")
        directory: Path = options["directory"]
        try:
            if options["abandon"]:
                imports.abandon_import(account=account, directory=directory)
                self.stdout.write("what was put in is gone")
                return
            done = imports.import_widget(account=account, directory=directory, options=imports.chosen(options))
        except ImportFailed as error:
            raise CommandError(str(error)) from None
        left_out = f"; {done.left_out} rows named others that the export has not" if done.left_out else ""
        aside = f"; {done.set_aside} odd addresses or numbers are kept as attributes" if done.set_aside else ""
        self.stdout.write(f"the widget is {done.widget.guid}{left_out}{aside}")

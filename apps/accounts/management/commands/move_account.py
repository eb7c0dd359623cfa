from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actions import moves
from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.actions.exports import ExportFailed
from apps.accounts.actions.imports import OPTIONS, chosen
from apps.accounts.models import Account


class Command(BaseCommand):
    help = (
        "Exports all widgets of an account here, or imports them there. An account that goes out is closed, and its "
        "work under way waited for. What was interrupted goes on; stay opens an account again that went out."
    )

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("way", choices=["out", "in", "stay"])
        parser.add_argument("account", metavar="EMAIL", help="the account, which is there already")
        parser.add_argument("directory", metavar="DIR", type=Path, nargs="?", help="a folder, with one a widget")
        for name, about in OPTIONS.items():
            parser.add_argument(f"--{name}", action="store_true", help=f"in: {about}")
        parser.add_argument(
            "--wait", metavar="MINUTES", type=float, default=10, help="out: for work under way, at most so long (10)"
        )
        parser.add_argument("--leave-work", action="store_true", help="out: work under way is left behind")

    def handle(self, *args: Any, **options: Any) -> None:
        account = Account.objects.filter(email__iexact=options["account"]).first()
        if account is None:
            raise CommandError(f"there is no account {options['account']}")
        if options["way"] == "stay":
            moves.cancel_move(account=account)
            return
        directory: Path | None = options["directory"]
        if directory is None:
            raise CommandError("name the folder, too")
        try:
            if options["way"] == "out":
                moved = moves.export_account(
                    account=account,
                    directory=directory,
                    wait_s=options["wait"] * 60,
                    leaves_work=options["leave_work"],
                    tell=lambda waits: self.stderr.write(f"waits for work under way: {waits}"),
                )
            else:
                moved = moves.import_account(account=account, directory=directory, options=chosen(options))
        except (ExportFailed, ImportFailed) as error:
            raise CommandError(str(error)) from None
        for guid in moved:
            self.stdout.write(guid)

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.demo import seeding


class Command(BaseCommand):
    help = (
        "Makes the demo data (once: a second run changes nothing but API tokens) and prints its logins and its freshly "
        "issued API tokens; those of earlier runs, also of `make run`, are revoked. The passwords are public: for "
        "trying out and for tests, never for a service in real use."
    )

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print one JSON document.")
        parser.add_argument(
            "--keep-tokens",
            action="store_true",
            help="Print the tokens of the last run again, as far as they are valid.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        document = seeding.seed(keep_tokens=options["keep_tokens"])
        self.stdout.write(
            json.dumps(document, ensure_ascii=False, indent=2) if options["json"] else _readable(document)
        )
        if not options["json"] and not options["keep_tokens"]:
            self.stdout.write("\nThese tokens are new; those of earlier runs no longer work.")


def _readable(document: dict[str, Any]) -> str:
    lines = [f"API {document['base_url']}, realtime {document['realtime_url']}"]
    if "admin" in document:
        lines.append(f"The installation's admin: {document['admin']['login']} / {document['admin']['password']}")
    for account in document["accounts"]:
        lines.append(f"\nAccount {account['email']}: cabinet login {account['owner_login']} / {account['password']}")
        for widget in account["widgets"]:
            lines.append(f"  Widget {widget['name']}, guid {widget['guid']}")
            lines += [f"    token {name}: {token}" for name, token in widget["tokens"].items()]
            lines += [
                f"    console login {agent['email']} / {agent['password']} ({agent['status']})"
                for agent in widget.get("agents", [])
                if agent["email"]
            ]
    return "\n".join(lines)

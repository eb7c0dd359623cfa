"""`manage.py help_domain`: a help center's own domain, named, vouched for, shown or taken away."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from apps.accounts.models import Widget
from apps.articles.actions.domains import set_domain
from apps.articles.querysets.centers import domain_answer
from apps.core.endpoints.answers import dump_json
from apps.core.problems import Problem


class Command(BaseCommand):
    help = "Gives a widget's help center its own domain, or takes it away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--widget", required=True, help="GUID of the widget")
        deed = parser.add_mutually_exclusive_group(required=True)
        deed.add_argument("--domain", help="the domain, such as help.shop.example")
        deed.add_argument("--remove", action="store_true", help="take the domain away")
        parser.add_argument(
            "--confirm", action="store_true", help="vouch for the domain (inner DNS): it needs no TXT record"
        )
        parser.add_argument("--json", action="store_true", help="print a document for programs")

    def handle(self, **options: Any) -> None:
        widget = Widget.objects.with_guid(options["widget"])
        if widget is None:
            raise CommandError("There is no such widget.")
        if options["remove"] and options["confirm"]:
            raise CommandError("--confirm goes with --domain.")
        domain = None if options["remove"] else options["domain"]
        try:
            row = set_domain(widget_id=widget.pk, domain=domain, is_vouched=options["confirm"])
        except Problem as refused:
            raise CommandError(json.dumps(refused.errors) if refused.errors else str(refused)) from None
        answer = domain_answer(row)
        if options["json"]:
            self.stdout.write(dump_json(answer).decode())
        else:
            self.stdout.write("\n".join(f"{name}: {value}" for name, value in answer.items()))

import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from apps.documentation import generated


class Command(BaseCommand):
    help = "Writes the generated documents in docs/ (the OpenAPI document, the pages of problems and events)."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if one is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.BASE_DIR) / "docs"
        stale = [
            name
            for name, text in generated.generate().items()
            if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text
        ]
        if options["check"]:
            if stale:
                self.stderr.write(
                    f"out of date: {', '.join(f'docs/{name}' for name in stale)}; run manage.py generate_docs"
                )
                sys.exit(1)
            return
        for name, text in generated.generate().items():
            (folder / name).write_text(text, encoding="utf-8")
        self.stdout.write(f"wrote {', '.join(stale) or 'nothing: all up to date'}")

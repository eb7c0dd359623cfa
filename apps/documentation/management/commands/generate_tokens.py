import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from apps.core import tokens
from apps.documentation.rules.tokens import script, styles

# The written files, by their places in the project.
WRITTEN = {"apps/core/static/core/tokens.css": styles, "apps/widget/static/widget/tokens.js": script}


class Command(BaseCommand):
    help = "Writes the style sheet and the script of the design tokens (apps/core/tokens.json)."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if a file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        texts = {name: write(tokens.source(), tokens.lengths()) for name, write in WRITTEN.items()}
        files = {name: Path(settings.BASE_DIR) / name for name in WRITTEN}
        stale = [name for name, file in files.items() if not file.exists() or file.read_text("utf-8") != texts[name]]
        if options["check"] and stale:
            self.stderr.write(f"out of date: {', '.join(stale)}; run manage.py generate_tokens")
            sys.exit(1)
        if not options["check"]:
            for name in stale:
                files[name].write_text(texts[name], encoding="utf-8")
            self.stdout.write(f"wrote {', '.join(stale) or 'nothing: all up to date'}")

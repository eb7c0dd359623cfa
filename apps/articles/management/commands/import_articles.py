import io
import json
import time
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Widget
from apps.articles.actions.imports import queue_file
from apps.articles.models import ArticleImport
from apps.articles.rules.imports import FINISHED, ImportState
from apps.articles.serializers.imports import ArticleImportSerializer
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.problems import Problem
from apps.core.tasks import queues
from apps.leases.runner import Runner

LOOK_S = 0.1


class Command(BaseCommand):
    help = (
        "Imports articles from a file (.md, .zip of them with pictures, .json as Chatwoot lists articles) or a folder, "
        "as drafts, and waits until that is done."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--widget", required=True, metavar="GUID", help="the widget's guid")
        parser.add_argument("path", metavar="PATH", type=Path, help="the file or folder")
        parser.add_argument("--lang", help="the language of texts that name none")
        parser.add_argument("--publish", action="store_true", help="publish what is imported")
        parser.add_argument("--dry-run", action="store_true", help="write nothing, only count")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.with_guid(options["widget"])
        if widget is None:
            raise CommandError(f"there is no widget {options['widget']}")
        try:
            with _received(options["path"]) as upload:
                row = queue_file(
                    upload=upload,
                    outbound=ExternalCall(widget.pk),
                    lang=options["lang"],
                    publish=options["publish"],
                    dry_run=options["dry_run"],
                    actor="manage.py import_articles",
                )
        except OSError as error:
            raise CommandError(f"{options['path']}: {error.strerror}") from None
        except Problem as problem:
            refusals = [text for texts in problem.errors.values() for text in texts]
            raise CommandError(" ".join(refusals) or str(problem)) from None
        done = _done(row)
        if options["json"]:
            self.stdout.write(json.dumps(ArticleImportSerializer.show(done), default=str, ensure_ascii=False))
        else:
            self._tell(done)
        if done.state == ImportState.FAILED:
            raise CommandError(f"it failed: {done.error}")

    def _tell(self, row: ArticleImport) -> None:
        figures = ("created", "updated", "unchanged", "refused", "pictures")
        self.stdout.write(", ".join(f"{name} {getattr(row, name)}" for name in figures))
        for problem in row.problems:
            self.stdout.write(f"{problem['path']}: {problem['reason']}")


def _received(path: Path) -> ReceivedFile:
    """The file; of a folder, an archive of its files."""
    upload = ReceivedFile(f"{path.name}.zip" if path.is_dir() else path.name)
    if path.is_dir():
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for each in sorted(path.rglob("*")):
                if each.is_file() and not each.is_symlink():
                    archive.write(each, each.relative_to(path).as_posix())
        upload.write(packed.getvalue())
    else:
        upload.write(path.read_bytes())
    return upload


def _done(row: ArticleImport) -> ArticleImport:
    """The import once it is finished, by this process or by a worker that is quicker."""
    runner = Runner([queue for queue in queues() if queue.model is ArticleImport])
    runner.wake()
    try:
        while row.state not in FINISHED:
            time.sleep(LOOK_S)
            row.refresh_from_db()
    finally:
        runner.stop()
    return row

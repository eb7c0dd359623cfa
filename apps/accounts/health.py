"""How the installation is: what the page of its health shows, each line good or bad."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import Count, Min
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_celery_beat.models import PeriodicTask
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from apps import egress
from apps.accounts.models import BackupNote
from apps.core import plugins
from apps.core.database.tenants import unscoped
from apps.core.redis import usage
from apps.core.tasks import queues

# From here on a line is red.
OLDEST_WAITS = timedelta(minutes=10)
BACKUP_AFTER = timedelta(days=2)
CERTIFICATE_SOON = timedelta(days=14)
QUEUES = {
    "core.mail": _("mails to people of the house"),
    "messengers.inboundjob": _("what came from messengers"),
    "messengers.outboundjob": _("what goes to messengers"),
    "messengers.polljob": _("messengers that are asked for messages"),
    "messengers.checkjob": _("connections that are checked"),
    "letters.outletter": _("letters to visitors"),
    "letters.senderjob": _("letters that came"),
    "letters.readjob": _("mailboxes that are read"),
    "letters.gatherjob": _("answers of mailboxes that gather"),
    "ai.replyjob": _("answers of AI"),
    "ai.trial": _("trials of an assistant"),
    "assists.assist": _("drafts and summaries for operators"),
    "assists.translationjob": _("translations of chats"),
    "cards.chatcards": _("cards that are asked for"),
    "cards.cardaction": _("buttons of cards"),
    "support.claimedmessage": _("messages for the support desk"),
    "support.emailcode": _("codes by e-mail"),
    "widget.translation": _("translations of the widget's texts"),
    "console.pushsubscription": _("notifications of operators"),
}
LATE_AFTER = timedelta(minutes=5)  # beyond three of a job's intervals
LEAST_FREE_PERCENT = 10
MOST_CONNECTIONS_PERCENT = 80
_PING_S = 1.0
_CERTIFICATE_S = 3.0


@dataclass(frozen=True, slots=True)
class HealthLine:
    """A line of the page: its name, the state in words, and whether that is bad."""

    name: str
    said: str
    is_bad: bool = False


@dataclass(frozen=True, slots=True)
class HealthGroup:
    title: str
    lines: tuple[HealthLine, ...]

    @property
    def bad(self) -> int:
        return sum(line.is_bad for line in self.lines)


def health(now: datetime, *, asks_workers: bool = True) -> list[HealthGroup]:
    """All groups; what can't be asked is bad. Asking workers and for the certificate takes some seconds."""
    workers = (_workers(),) if asks_workers else ()
    certificate = tuple(_certificate(now)) if asks_workers else ()
    return [
        HealthGroup(gettext("Backups"), tuple(_backups(now))),
        HealthGroup(gettext("Services"), (_redis(), *workers, *_database(), _disk(), _address(), *certificate)),
        HealthGroup(gettext("Queues"), tuple(_queues(now))),
        HealthGroup(gettext("Jobs"), tuple(_jobs(now))),
    ]


def _backups(now: datetime) -> Iterator[HealthLine]:
    notes = list(BackupNote.objects.order_by("name"))
    if not notes:
        text = gettext("None was told. The guide's script does it by manage.py note_backup.")
        yield HealthLine(gettext("Last backup"), text, is_bad=True)
    for note in notes:
        said = gettext("%(ago)s ago") % {"ago": timesince(note.at, now)}
        yield HealthLine(note.name, said, is_bad=note.at < now - BACKUP_AFTER)


def _redis() -> HealthLine:
    works = usage.is_usable()
    return HealthLine("Redis", gettext("works") if works else gettext("is away"), is_bad=not works)


def _workers() -> HealthLine:
    """The workers that answer now."""
    name = gettext("Workers")
    try:
        answers = current_app.control.ping(timeout=_PING_S) or []
    except (OSError, OperationalError, RedisError):  # the broker is away
        return HealthLine(name, gettext("can't be asked"), is_bad=True)
    return HealthLine(name, gettext("%(count)d answer") % {"count": len(answers)}, is_bad=not answers)


def _database() -> Iterator[HealthLine]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_database_size(current_database()), (SELECT count(*) FROM pg_stat_activity),"
            " current_setting('max_connections')::int"
        )
        size, connections, most = cursor.fetchone()
    yield HealthLine(gettext("Database"), filesizeformat(size))
    said = gettext("%(count)d of %(most)d") % {"count": connections, "most": most}
    is_bad = connections * 100 >= most * MOST_CONNECTIONS_PERCENT
    yield HealthLine(gettext("Connections to the database"), said, is_bad=is_bad)


def _disk() -> HealthLine:
    disk = shutil.disk_usage(settings.PARLEY_HOME)
    said = gettext("%(free)s free of %(total)s") % {
        "free": filesizeformat(disk.free),
        "total": filesizeformat(disk.total),
    }
    return HealthLine(gettext("Disk"), said, is_bad=disk.free * 100 < disk.total * LEAST_FREE_PERCENT)


def _address() -> HealthLine:
    is_https = settings.PUBLIC_URL.startswith("https://")
    said = settings.PUBLIC_URL if is_https else gettext("%(url)s: without https") % {"url": settings.PUBLIC_URL}
    return HealthLine(gettext("Public address"), said, is_bad=not is_https)


def _certificate(now: datetime) -> Iterator[HealthLine]:
    """The certificate that callers of the public address are shown, as far as it can be seen from here."""
    if not settings.PUBLIC_URL.startswith("https://"):
        return
    name = gettext("Certificate")
    try:
        with egress.outbound_waits.slot(None):
            ends_at = egress.certificate_ends_at(settings.PUBLIC_URL, timeout=_CERTIFICATE_S)
    except egress.BulkheadFull:
        yield HealthLine(name, gettext("can't be asked"))
    except egress.EgressRefused as refusal:
        is_wrong = refusal.reason == "tls"
        # From the inside of a network its own address may lead nowhere.
        said = gettext("is not valid for this address") if is_wrong else gettext("can't be seen from this machine")
        yield HealthLine(name, said, is_bad=is_wrong)
    else:
        yield certificate_line(ends_at, now)


def certificate_line(ends_at: datetime, now: datetime) -> HealthLine:
    """The line of a certificate; it is renewed a month before its end, so one that ends soon was forgotten."""
    said = gettext("ends on %(day)s") % {"day": date_format(localtime(ends_at), "DATE_FORMAT")}
    return HealthLine(gettext("Certificate"), said, is_bad=ends_at < now + CERTIFICATE_SOON)


def _queues(now: datetime) -> Iterator[HealthLine]:
    for queue in queues():
        rows: Any = unscoped(queue.model._base_manager.all(), "every widget's rows")
        found = rows.filter(due_at__lte=now).aggregate(count=Count("pk"), oldest=Min("due_at"))
        label = queue.model._meta.label_lower
        name = str(QUEUES.get(label, queue.model._meta.verbose_name_plural))
        if not found["count"]:
            yield HealthLine(name, gettext("nothing waits"))
            continue
        said = gettext("%(count)d wait, the oldest for %(time)s")
        told = said % {"count": found["count"], "time": timesince(found["oldest"], now)}
        yield HealthLine(name, told, is_bad=found["oldest"] < now - OLDEST_WAITS)


def _jobs(now: datetime) -> Iterator[HealthLine]:
    """Every periodic job. Beat notes when it starts one, a few minutes late."""
    last_runs = dict(PeriodicTask.objects.values_list("name", "last_run_at"))
    lines = []
    for job in plugins.jobs():
        at = last_runs.get(job.name)
        is_late = at is None or at < now - 3 * job.every - LATE_AFTER
        said = date_format(localtime(at), "SHORT_DATETIME_FORMAT") if at else gettext("never")
        lines.append(HealthLine(gettext(job.name), f"{said} · {gettext('late')}" if is_late else said, is_bad=is_late))
    yield from sorted(lines, key=lambda line: (not line.is_bad, line.name))

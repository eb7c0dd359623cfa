"""The health of the installation: the lines of its page, each good or bad, a bad one with its cure."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import Count, Min
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django_celery_beat.models import PeriodicTask
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from apps import egress
from apps.accounts.models import BackupNote
from apps.cabinet.redis_usage import is_usable
from apps.core import mail, plugins
from apps.core.cabinet import OverdueWork, overdue
from apps.core.database.tenants import unscoped
from apps.core.redis.failed_jobs import FailedJob, failed_jobs
from apps.core.tasks import queues

# From here on a line is red.
OLDEST_WAITS = timedelta(minutes=10)
BACKUP_AFTER = timedelta(days=2)
CERTIFICATE_SOON = timedelta(days=14)
LATE_AFTER = timedelta(minutes=5)  # beyond three of a job's intervals
LEAST_FREE_PERCENT = 10
MOST_CONNECTIONS_PERCENT = 80
MAIL_SERVER_KEPT = timedelta(minutes=1)
SMTP = "django.core.mail.backends.smtp.EmailBackend"
FOLDER = "apps.core.mail.FolderBackend"
# A server of SMTP that wants another login (RFC 4954).
LOGIN_REFUSED = frozenset({530, 534, 535, 538})
_PING_S = 1.0
_CERTIFICATE_S = 3.0


@dataclass(frozen=True, slots=True)
class HealthLine:
    """A line of the page: its name, the state in words, whether that is bad, and its cure then."""

    name: str
    said: str
    is_bad: bool = False
    cure: str = ""


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
    mail_server = tuple(mail_server_lines(now, asks=asks_workers))
    services = (_redis(), *workers, *_database(), *mail_server, _disk(), _address(), *certificate)
    return [
        HealthGroup(gettext("Backups"), tuple(_backups(now))),
        HealthGroup(gettext("Services"), services),
        HealthGroup(gettext("Queues"), tuple(_queues(now))),
        HealthGroup(gettext("Jobs"), tuple(_jobs(now))),
    ]


def _backups(now: datetime) -> Iterator[HealthLine]:
    notes = list(BackupNote.objects.order_by("name"))
    if not notes:
        text = gettext("None was told. The guide's script does it by manage.py note_backup.")
        yield HealthLine(gettext("Last backup"), text, is_bad=True)
    cure = gettext("Run the backup by hand, and read what it says: the guide “Backup and restore” has the script.")
    for note in notes:
        said = gettext("%(ago)s ago") % {"ago": timesince(note.at, now)}
        yield HealthLine(note.name, said, is_bad=note.at < now - BACKUP_AFTER, cure=cure)


def _redis() -> HealthLine:
    works = is_usable()
    cure = gettext("Start Redis, or correct REDIS_URL: until then nobody is seen online, and news come late.")
    return HealthLine("Redis", gettext("works") if works else gettext("is away"), is_bad=not works, cure=cure)


def _workers() -> HealthLine:
    """The workers that answer now."""
    name = gettext("Workers")
    cure = gettext("Start a worker, and read its log: messages, mail, webhooks and answers of AI wait for it.")
    try:
        answers = current_app.control.ping(timeout=_PING_S) or []
    except (OSError, OperationalError, RedisError):  # the broker is away
        return HealthLine(name, gettext("can't be asked"), is_bad=True, cure=cure)
    return HealthLine(name, gettext("%(count)d answer") % {"count": len(answers)}, is_bad=not answers, cure=cure)


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
    cure = gettext("Run fewer processes, or let PostgreSQL take more connections (max_connections).")
    yield HealthLine(gettext("Connections to the database"), said, is_bad=is_bad, cure=cure)


def _disk() -> HealthLine:
    disk = shutil.disk_usage(settings.PARLEY_HOME)
    said = gettext("%(free)s free of %(total)s") % {
        "free": filesizeformat(disk.free),
        "total": filesizeformat(disk.total),
    }
    cure = gettext("Make room on the disk: once it is full, no message and no file is stored.")
    return HealthLine(gettext("Disk"), said, is_bad=disk.free * 100 < disk.total * LEAST_FREE_PERCENT, cure=cure)


def _address() -> HealthLine:
    is_https = settings.PUBLIC_URL.startswith("https://")
    said = settings.PUBLIC_URL if is_https else gettext("%(url)s: without https") % {"url": settings.PUBLIC_URL}
    cure = gettext("Put a proxy with a certificate in front, and name the https address in PUBLIC_URL.")
    return HealthLine(gettext("Public address"), said, is_bad=not is_https, cure=cure)


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
        yield HealthLine(name, said, is_bad=is_wrong, cure=gettext("Renew the certificate at the proxy in front."))
    else:
        yield certificate_line(ends_at, now)


def certificate_line(ends_at: datetime, now: datetime) -> HealthLine:
    """The line of a certificate; it is renewed a month before its end, so one that ends soon was forgotten."""
    said = gettext("ends on %(day)s") % {"day": date_format(localtime(ends_at), "DATE_FORMAT")}
    cure = gettext("Renew the certificate at the proxy in front.")
    return HealthLine(gettext("Certificate"), said, is_bad=ends_at < now + CERTIFICATE_SOON, cure=cure)


class _MailServerAnswer(NamedTuple):
    """The mail server's last answer to this process; `failed` is None where it let the installation in."""

    at: datetime
    failed: mail.MailFailed | None


# Asked by one request at a time, once in MAIL_SERVER_KEPT.
_mail_server_lock = threading.Lock()
_mail_server: _MailServerAnswer | None = None


def mail_server_lines(now: datetime, *, asks: bool) -> Iterator[HealthLine]:
    """The mail server as it answers, or has answered within MAIL_SERVER_KEPT; no line where this process knows nothing.

    `asks`: outside of transactions, in a slot of the bulkhead.
    """
    name = gettext("Mail server")
    if settings.EMAIL_BACKEND != SMTP:
        is_bad = settings.EMAIL_BACKEND == FOLDER and not settings.MAIL_IS_TRIAL
        cure = gettext("Name a mail server in EMAIL_URL: until then no invitation, password or answer reaches anybody.")
        yield HealthLine(name, gettext("none: no mail leaves this machine"), is_bad=is_bad, cure=cure)
        return
    if asks and _mail_server_lock.acquire(blocking=False):
        try:
            _ask_mail_server(now)
        except egress.BulkheadFull:
            pass  # its former answer counts
        finally:
            _mail_server_lock.release()
    if _mail_server is None:
        if asks:
            yield HealthLine(name, gettext("can't be asked"))
        return
    failed = _mail_server.failed
    yield HealthLine(name, _said_of_mail(failed), is_bad=failed is not None, cure=_cure_of_mail(failed))


def _ask_mail_server(now: datetime) -> None:
    global _mail_server
    if _mail_server is not None and now - _mail_server.at < MAIL_SERVER_KEPT:
        return
    failed = None
    with egress.outbound_waits.slot(None):
        try:
            mail.ask_server()
        except mail.MailFailed as error:
            failed = error
    _mail_server = _MailServerAnswer(now, failed)


def _said_of_mail(failed: mail.MailFailed | None) -> str:
    if failed is None:
        return gettext("works")
    if not failed.code:
        return gettext("can't be reached")
    return gettext("refuses us: %(code)s %(words)s") % {"code": failed.code, "words": failed.said}


def _cure_of_mail(failed: mail.MailFailed | None) -> str:
    if failed is not None and failed.code in LOGIN_REFUSED:
        return gettext("Correct the user and the password in EMAIL_URL; some providers want a password for programs.")
    return gettext("Look whether the host and the port in EMAIL_URL are right, and whether it lets this machine in.")


def _queues(now: datetime) -> Iterator[HealthLine]:
    cure = gettext("Look whether workers run, and what their log says: each row is tried again by itself.")
    for work in (*_leased(now), *overdue(now)):
        if not work.count or work.oldest is None:
            yield HealthLine(work.title, gettext("nothing waits"))
            continue
        said = gettext("%(count)d wait, the oldest for %(time)s")
        told = said % {"count": work.count, "time": timesince(work.oldest, now)}
        yield HealthLine(work.title, told, is_bad=work.oldest < now - OLDEST_WAITS, cure=cure)


def _leased(now: datetime) -> Iterator[OverdueWork]:
    for queue in queues():
        rows: Any = unscoped(queue.model._base_manager.all(), "every widget's rows")
        found = rows.filter(due_at__lte=now).aggregate(count=Count("pk"), oldest=Min("due_at"))
        name = gettext(queue.title) if queue.title else str(queue.model._meta.verbose_name_plural)
        yield OverdueWork(title=name, count=found["count"], oldest=found["oldest"])


def _jobs(now: datetime) -> Iterator[HealthLine]:
    """Every periodic job: late where beat has not started it for long, bad too where its runs fail."""
    last_runs = dict(PeriodicTask.objects.values_list("name", "last_run_at"))
    failed = failed_jobs()
    lines = []
    for job in plugins.jobs():
        at = last_runs.get(job.name)
        is_late = at is None or at < now - 3 * job.every - LATE_AFTER
        said = date_format(localtime(at), "SHORT_DATETIME_FORMAT") if at else gettext("never")
        cure = gettext("Look whether beat runs: it starts the jobs.") if is_late else ""
        if is_late:
            said += " · " + gettext("late")
        if (failing := failed.get(job.task)) is not None:
            said = f"{said} · {_said_of_failure(failing)}"
            cure = gettext("The log of the workers has this job's error: mend that, and it runs again by itself.")
        lines.append(HealthLine(gettext(job.name), said, is_bad=is_late or failing is not None, cure=cure))
    yield from sorted(lines, key=lambda line: (not line.is_bad, line.name))


def _said_of_failure(failed_job: FailedJob) -> str:
    since = localtime(datetime.fromtimestamp(failed_job.since, UTC))
    return ngettext(
        "failed %(times)d time since %(since)s (%(error)s)",
        "failed %(times)d times in a row since %(since)s (%(error)s)",
        failed_job.times,
    ) % {"times": failed_job.times, "since": date_format(since, "SHORT_DATETIME_FORMAT"), "error": failed_job.error}

"""The weekly letter: queued once for each reader, with figures of the reports, and the choice of it."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings as installation
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext
from prometheus_client import Counter

from apps.accounts.models import User, Widget
from apps.chats.questions import shown_name, widget_language
from apps.core import mail
from apps.core.database import lock
from apps.core.parsing.periods import Window
from apps.reports.actions.reports import report_of
from apps.reports.labels import GROUPS, TIMES, TITLES, chats_in_words, group_label, rate_in_words, wait_in_words
from apps.reports.mail import LetterFigure, LetterList, WeeklyMail, weekly_mail
from apps.reports.models import WeeklyChoice, WeeklyLetter
from apps.reports.querysets.readers import readers_of
from apps.reports.rules.answers import ReportAnswer
from apps.reports.rules.changes import Compared, Counted, GroupPart, Timed, WeekChange, changes_of, dimensions, most_of
from apps.reports.rules.reports import ReportQuery, address
from apps.reports.rules.weeks import TOLD_WITHIN, moments_of, told_since, week_told

logger = logging.getLogger(__name__)
LETTERS = Counter("parley_report_letters", "Weekly letters, by their outcome.", ["outcome"])
SALT = "reports.weekly-letter"
FIGURES = ("episodes", "answered", "first_reply", "ai_resolved", "good", "unanswered")
# The figures whose changes are told, and the groups that may have made most of one.
COMPARED = (
    *("episodes", "answered", "unanswered", "first_reply", "person_reply", "longest_wait", "handed_over"),
    *("ai_resolved", "durable", "responded", "good"),
)
MADE_BY = ("channel", "department", "page", "language")


@dataclass(frozen=True, slots=True)
class QueuedLetter:
    """A letter that was queued: to whom, in which language, its text, and its figures."""

    to: str
    language: str
    subject: str
    text: str
    report: ReportAnswer


@dataclass(frozen=True, slots=True)
class _WeekReport:
    """The week as all readers of a widget are told of it: figures, and changes with the groups that made them."""

    report: ReportAnswer
    changes: Sequence[tuple[WeekChange, GroupPart | None]]
    labels: dict[tuple[str, str], str]


def queue_letters(*, as_of: datetime, widget_id: int | None = None, late: bool = True) -> list[QueuedLetter]:
    """Queues the letters of the newest week that is told, to everybody who has none of it yet.

    `late`: also when more than a day has passed since Monday 9:00. Harmless when run twice at once. A widget whose
    letters cannot be written does not keep the others waiting.
    """
    widgets = Widget.objects.select_related("account").filter(moving_since=None).order_by("pk")
    if widget_id is not None:
        widgets = widgets.filter(pk=widget_id)
    found: list[QueuedLetter] = []
    for widget in widgets:
        try:
            zone = ZoneInfo(widget.time_zone)
            if late or as_of - told_since(as_of, zone) < TOLD_WITHIN:
                found += _of_widget(widget, week_told(as_of, zone), zone)
        except Exception:
            logger.exception("letters of widget %s could not be written", widget.pk)
    return found


def _of_widget(widget: Widget, week: date, zone: ZoneInfo) -> list[QueuedLetter]:
    if not _without_letter(widget, week):
        return []
    week_report = _read(widget.pk, week, zone)
    if not _number(week_report.report, "episodes"):
        return []
    with transaction.atomic():
        lock(f"reports.letters:{widget.pk}")
        readers = _without_letter(widget, week)
        WeeklyLetter.objects.bulk_create(WeeklyLetter(widget=widget, user=user, week=week) for user in readers)
        return [_queue(widget, user, week, zone, week_report) for user in readers]


def _without_letter(widget: Widget, week: date) -> list[User]:
    had = set(WeeklyLetter.objects.for_widget(widget.pk).filter(week=week).values_list("user", flat=True))
    return [user for user in readers_of(widget) if user.pk not in had]


def _read(widget_id: int, week: date, zone: ZoneInfo) -> _WeekReport:
    start, end = moments_of(week, zone)
    query = ReportQuery(window=Window(start, end), zone=zone, compare=True)
    report = report_of(widget_id, query)
    before = report.before
    changes = changes_of(_compared(report.figures), _compared(before.figures)) if before else []
    if not changes or before is None:
        return _WeekReport(report, [(change, None) for change in changes], {})
    parts: dict[str, list[GroupPart]] = {}
    labels: dict[tuple[str, str], str] = {}
    for group in MADE_BY:
        then = report_of(widget_id, ReportQuery(window=before.window, zone=zone, group=group))
        now = report_of(widget_id, ReportQuery(window=query.window, zone=zone, group=group))
        labels |= {(group, each.key): each.label for each in (*then.groups, *now.groups)}
        for name, part in _parts(group, [now, then]):
            parts.setdefault(name, []).append(part)
    return _WeekReport(report, [(change, _maker(change, parts.get(change.figure, []))) for change in changes], labels)


def _maker(change: WeekChange, parts: Sequence[GroupPart]) -> GroupPart | None:
    """The group that made most of a change; of the dimensions that have several groups."""
    told = dimensions(parts)
    return most_of(change, [part for part in parts if part.group in told])


def _parts(group: str, reports: Sequence[ReportAnswer]) -> Iterator[tuple[str, GroupPart]]:
    """The parts of all groups of two reports, now and before, by figure."""
    of_now, by_key = ({each.key: each.figures for each in report.groups} for report in reports)
    for key in {**of_now, **by_key}:
        for name in COMPARED:
            if name not in TIMES:
                figures = [_counted(found[key][name]) if key in found else None for found in (of_now, by_key)]
                has_share = next(each.of is not None for each in figures if each)
                nothing = Counted(0, 0 if has_share else None)
                yield name, GroupPart(group, key, figures[0] or nothing, figures[1] or nothing)


def _counted(figure: Any) -> Counted:
    return Counted(figure.value, figure.of)


def _compared(figures: Any) -> dict[str, Compared]:
    return {
        name: Timed(figures[name].n, figures[name].p90) if name in TIMES else _counted(figures[name])
        for name in COMPARED
    }


def _number(report: ReportAnswer, name: str) -> int:
    figure: Any = report.figures[name]
    return int(figure.value)


def _queue(widget: Widget, user: User, week: date, zone: ZoneInfo, week_report: _WeekReport) -> QueuedLetter:
    page = reverse("admin:reports_widgetreport_change", args=[widget.pk])
    lists = reverse("admin:reports_widgetreport_episodes", args=[widget.pk])
    base, report = installation.PUBLIC_URL, week_report.report
    with translation.override(user.mail_language):
        last = week + timedelta(days=6)
        letter = weekly_mail(
            WeeklyMail(
                to=user.email,
                language=user.mail_language,
                shop=shown_name(widget.pk, widget_language(widget.pk), widget.name),
                week=f"{date_format(week, 'j E')} – {date_format(last, 'j E Y')}",
                zone=zone.key,
                figures=[_figure(report, name, base + lists) for name in FIGURES],
                changes=[_sentence(change, part, week_report.labels) for change, part in week_report.changes],
                lists=_lists(report, base + lists),
                link=f"{base}{page}?{address(report.query, group='day')}",
                stop=f"{base}{reverse('stop-weekly-letter', args=[stop_proof(widget.pk, user.pk)])}",
            )
        )
    mail.queue(letter)
    LETTERS.labels("queued").inc()
    return QueuedLetter(user.email, user.mail_language, str(letter.subject), str(letter.body), report)


def _figure(report: ReportAnswer, name: str, lists: str) -> LetterFigure:
    figure: Any = report.figures[name]
    before: Any = report.before.figures[name] if report.before else None
    title = gettext("%(figure)s, nine of ten within") % {"figure": TITLES[name]} if name in TIMES else str(TITLES[name])
    chats = figure.slowest if name in TIMES and figure.n else figure.chats
    return LetterFigure(title, _told(name, figure), _told(name, before) if before else "", _list_of(lists, chats))


def _told(name: str, figure: Any) -> str:
    if name in TIMES:
        return wait_in_words(figure.p90)
    value = number_format(figure.value)
    return value if figure.rate is None else f"{value} ({rate_in_words(figure.rate)})"


def _sentence(change: WeekChange, part: GroupPart | None, labels: dict[tuple[str, str], str]) -> str:
    said = {"figure": TITLES[change.figure], "now": _size(change.now), "before": _size(change.before)}
    sentence = gettext("%(figure)s: %(now)s, the week before %(before)s.") % said
    if part is None:
        return sentence
    name = group_label(part.group, part.key, labels.get((part.group, part.key), ""))
    made = {"group": GROUPS[part.group], "name": name, "now": _size(part.now), "before": _size(part.before)}
    return f"{sentence} " + gettext("Most of it: %(group)s %(name)s, %(now)s after %(before)s.") % made


def _size(figure: Compared) -> str:
    if isinstance(figure, Timed):
        return wait_in_words(figure.p90)
    if figure.of is None:
        return number_format(figure.value)
    return gettext("%(value)s of %(of)s") % {"value": number_format(figure.value), "of": number_format(figure.of)}


def _lists(report: ReportAnswer, lists: str) -> list[LetterList]:
    """Low ratings, the longest waits, and who asked in vain."""
    low: Any = report.figures["low"]
    waits: Any = report.figures["longest_wait"]
    vain = report.query.episodes.narrowed(outcome=("dismissed", "unanswered"))
    unanswered = _number(report, "dismissed") + _number(report, "unanswered")
    longest = gettext("from %(time)s on") % {"time": wait_in_words(waits.p90)} if waits.n else chats_in_words(0)
    return [
        LetterList(gettext("Low ratings"), chats_in_words(low.value), _list_of(lists, low.chats)),
        LetterList(gettext("Longest waits"), longest, _list_of(lists, waits.slowest)),
        LetterList(gettext("Asked in vain"), chats_in_words(unanswered), f"{lists}?{address(vain)}"),
    ]


def _list_of(lists: str, chats: str) -> str:
    return f"{lists}?{chats.partition('?')[2]}"


def stop_proof(widget_id: int, user_id: int) -> str:
    """The content of a letter's link: it ends the weekly letter of a widget to a person, and does nothing else."""
    return signing.dumps([widget_id, user_id], salt=SALT)


def read_stop_proof(proof: str) -> tuple[int, int] | None:
    """The widget and the person of a letter's link; None for a link that is not ours."""
    try:
        widget_id, user_id = signing.loads(proof, salt=SALT)
    except signing.BadSignature:
        return None
    return widget_id, user_id


@transaction.atomic
def choose_letter(*, widget_id: int, user_id: int, is_wanted: bool) -> None:
    """Whether somebody wants the weekly letter of a widget; replaces the choice of before."""
    said = {"is_wanted": is_wanted}
    WeeklyChoice.objects.for_widget(widget_id).update_or_create(
        user_id=user_id, defaults=said, create_defaults={**said, "widget_id": widget_id}
    )

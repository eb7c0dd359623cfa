"""Moments as lists tell them: one line, the nearer the shorter; the whole moment is in the title."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def spoken(moment: datetime, now: datetime) -> str:
    """ "now", "5 min", "17:23", "Yesterday", "28 Nov", "28 Nov 2025", in the time zone of the page."""
    there, here = timezone.localtime(moment), timezone.localtime(now)
    ago = now - moment
    if timedelta(0) <= ago < MINUTE:
        return pgettext("moment", "now")
    if MINUTE <= ago < HOUR:
        return gettext("%(count)d min") % {"count": ago // MINUTE}
    if there.date() == here.date():
        return time_format(there.time(), "TIME_FORMAT")
    if there.date() == here.date() - DAY:
        return gettext("Yesterday")
    if there.year == here.year:
        return date_format(there, pgettext("format of a day", "j M"))
    return date_format(there, pgettext("format of a day", "j M Y"))


def marked(moment: datetime) -> SafeString:
    """The moment in one line of HTML."""
    whole = date_format(timezone.localtime(moment), "DATETIME_FORMAT")
    told = spoken(moment, timezone.now())
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), whole, told)

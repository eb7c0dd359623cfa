"""Whether a page of a website has a widget: asked of the page itself."""

from enum import StrEnum

from django.conf import settings

from apps import egress
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.egress import BulkheadFull, EgressRefused
from apps.widget.actions.settings import note_found

SECONDS, MAX_BYTES, REDIRECTS = 10.0, 2_000_000, 5
OK = 200


class Installed(StrEnum):
    """The outcomes of a look at a page."""

    THERE = "there"
    MISSING = "missing"
    UNREACHABLE = "unreachable"
    BUSY = "busy"


def look_for_widget(*, guid: str, url: str, outbound: ExternalCall) -> Installed:
    """Fetches a page as a stranger and looks for the widget's loader in it. Must not run in a transaction.

    A page of a website that has it is noted, as a visit there is; this service's own pages are not.

    A tag manager puts the lines in later: such a page lacks them here, and the first visit tells.
    """
    address = url.strip()
    address = address if "://" in address else f"https://{address}"
    try:
        with outbound.slot():
            answer = egress.fetch("GET", address, timeout=SECONDS, max_bytes=MAX_BYTES, redirects=REDIRECTS)
    except BulkheadFull:
        return Installed.BUSY
    except (EgressRefused, ValueError):
        return Installed.UNREACHABLE
    if answer.status != OK:
        return Installed.UNREACHABLE
    if guid.encode() not in answer.body:
        return Installed.MISSING
    if not address.startswith(settings.PUBLIC_URL):
        note_found(widget_id=outbound.widget_id, page=address)
    return Installed.THERE

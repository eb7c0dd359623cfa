"""A help center's own domain: named, proved by a TXT record, looked at daily, taken away."""

import logging
import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.http.request import validate_host
from django.utils import timezone

from apps.accounts.models import Widget
from apps.articles.errors import DOMAIN_TAKEN
from apps.articles.events import HelpCenterChanged
from apps.articles.models import HelpCenter
from apps.articles.querysets.centers import free_slug
from apps.articles.rules.domains import domain_refusal, problem_of, standing_after, txt_name
from apps.articles.rules.states import DomainState
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.database.constraints import unique_or
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.problems import Problem
from apps.egress.bulkhead import BulkheadFull
from apps.egress.hosts import InvalidHost, normalise_host
from apps.egress.text_records import text_records

logger = logging.getLogger(__name__)

LOOKUP_S = 5.0
_NONE: Mapping[str, object] = {
    "domain": None,
    "domain_state": "",
    "domain_token": "",
    "domain_checked_at": None,
    "domain_failed_since": None,
    "domain_problem": "",
}


@transaction.atomic
def set_domain(*, widget_id: int, domain: str | None, is_vouched: bool = False) -> HelpCenter:
    """Gives a help center its own domain, which answers once it is proved; None takes it away.

    The same one stays as it is. The installation may vouch for a domain (`is_vouched`): it is verified, and not looked
    at.

    Raises INVALID_INPUT (422) on `domain`: an address, one label, a host of the installation; DOMAIN_TAKEN (409) for
    another widget's.
    """
    host = None if domain is None else _checked(domain)
    widget = Widget.objects.select_for_update(no_key=True).get(pk=widget_id)
    row = HelpCenter.objects.for_widget(widget_id).select_for_update().first()
    row = row or HelpCenter(widget_id=widget_id, slug=free_slug(widget.name, widget.guid))
    if host == row.domain and not is_vouched:
        return row
    values: dict[str, object] = {**_NONE, "domain": host}
    if host is not None and is_vouched:
        values |= {"domain_state": DomainState.VERIFIED, "domain_checked_at": timezone.now()}
    elif host is not None:
        values |= {"domain_state": DomainState.PENDING, "domain_token": secrets.token_hex(16)}
    _save(row, values)
    return row


def check_domain(*, widget_id: int, outbound: ExternalCall | None = None) -> HelpCenter:
    """Looks for the record of a help center's domain, and keeps how the domain stands after it.

    Raises NOT_FOUND (404) where there is no domain, BulkheadFull (429). Call it outside of transactions.
    """
    outbound = outbound or ExternalCall(widget_id)
    row = HelpCenter.objects.for_widget(widget_id).filter(domain__isnull=False).first()
    if row is None or row.domain is None:
        raise NOT_FOUND("The help center has no domain of its own.")
    records = None
    if row.domain_token:
        with outbound.slot():
            records = text_records(txt_name(row.domain), timeout=LOOKUP_S)
    with outbound.write():
        now = HelpCenter.objects.for_widget(widget_id).get_for_update(pk=widget_id)
        # Another domain was named meanwhile, or the installation vouches for this one.
        if now.domain_token and now.domain_token == row.domain_token:
            _keep(now, records)
    return now


def check_domains() -> int:
    """Looks at every domain that the installation does not vouch for; returns how many. Harmless when run twice."""
    rows = HelpCenter.objects.unscoped("every widget's domains are looked at").filter(domain__isnull=False)
    widgets = list(rows.exclude(domain_token="").order_by("domain_checked_at", "pk").values_list("pk", flat=True))
    looked_at = 0
    for widget_id in widgets:
        try:
            check_domain(widget_id=widget_id)
            looked_at += 1
        except (BulkheadFull, Problem) as refusal:
            logger.warning("the domain of widget %s was not looked at: %s", widget_id, refusal)
    return looked_at


def _checked(domain: str) -> str:
    try:
        host = normalise_host(domain.strip())
    except InvalidHost as invalid:
        raise INVALID_INPUT(errors={"domain": [str(invalid)]}) from None
    refusal = domain_refusal(host)
    if refusal is None and is_of_installation(host):
        refusal = "This is a host of the installation itself."
    if refusal is not None:
        raise INVALID_INPUT(errors={"domain": [refusal]})
    return host


def is_of_installation(host: str) -> bool:
    """Whether the installation itself answers at a host, without a port."""
    own = {urlsplit(url).hostname for url in (settings.PUBLIC_URL, settings.REALTIME_URL)}
    return host in own or validate_host(host, [one for one in settings.ALLOWED_HOSTS if one != "*"])


def _keep(row: HelpCenter, records: list[str] | None) -> None:
    moment = timezone.now()
    problem = problem_of(records, row.domain_token)
    state, failed_since = DomainState(row.domain_state), row.domain_failed_since
    standing = standing_after(state, problem, failed_since=failed_since, now=moment)
    _save(
        row,
        {
            "domain_state": standing.state,
            "domain_problem": standing.problem or "",
            "domain_failed_since": standing.failed_since,
            "domain_checked_at": moment,
        },
    )


def _save(row: HelpCenter, values: dict[str, object]) -> None:
    before = row.domain if row.domain_state == DomainState.VERIFIED else None
    changed = set_changes(row, values)
    with unique_or(DOMAIN_TAKEN, "articles_helpcenter_domain"):
        if row._state.adding:
            row.save(force_insert=True)
        elif changed:
            save_changed(row, changed)
    if before != (row.domain if row.domain_state == DomainState.VERIFIED else None):
        bus.publish(HelpCenterChanged(widget_id=row.widget_id, changed=("domain",)))

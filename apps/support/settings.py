"""The settings of a widget's support desk."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import ApiToken
from apps.accounts.rules.settings import number, reference, references, switch, text, texts
from apps.accounts.settings import Changes, SettingsTable
from apps.agents.models import Agent
from apps.ai.rules.links import is_host
from apps.core.database.changes import set_changes
from apps.support.labels import CHANNEL_NAMES
from apps.support.models import SupportSettings
from apps.support.rules import settings as rules
from apps.support.rules.settings import Ready


def settings_of(widget_id: int) -> SupportSettings:
    """The widget's settings, or the defaults without a row."""
    row: SupportSettings = SETTINGS.row_of(widget_id)
    return row


def _further_refusals(settings: SupportSettings, changes: Changes) -> dict[str, str]:
    """Ids that are not the widget's, and the conditions of enabling."""
    refused = _foreign(settings.widget_id, changes)
    if refused or not changes.get("enabled"):
        return refused
    changed = copy(settings)
    set_changes(changed, changes)
    return rules.enabling_refusals(ready(changed))


def ready(settings: SupportSettings) -> Ready:
    """The conditions of enabling that are met."""
    return Ready(
        has_operator=has_operator(settings),
        has_token=valid_tokens(settings.widget_id).filter(pk__in=settings.token_ids).exists(),
        has_address=any(map(rules.is_network, settings.ip_allowlist)),
    )


def has_operator(settings: SupportSettings) -> bool:
    """Whether the configured operator is an active person of the widget."""
    if settings.operator_id is None:
        return False
    agents = Agent.objects.for_widget(settings.widget_id).filter(pk=settings.operator_id, type=Agent.Type.HUMAN)
    return agents.not_banned().exists()


def valid_tokens(widget_id: int) -> Any:
    """The widget's tokens that are neither revoked nor past their expiry."""
    live = Q(expires_at__isnull=True) | Q(expires_at__gt=Now())
    return ApiToken.objects.for_widget(widget_id).filter(live, revoked_at__isnull=True)


def operators_of(settings: SupportSettings) -> list[tuple[Any, Any]]:
    """The people of a widget, to choose one from."""
    people = Agent.objects.for_widget(settings.widget_id).filter(type=Agent.Type.HUMAN).order_by("pk")
    return [("", _("nobody")), *((person.pk, person.full_name) for person in people)]


def tokens_of(settings: SupportSettings) -> list[tuple[int, str]]:
    """The tokens that can be listed, and those that are, whatever has become of them."""
    found = {token.pk: token.name for token in valid_tokens(settings.widget_id).order_by("pk")}
    listed = ApiToken.objects.for_widget(settings.widget_id).filter(pk__in=settings.token_ids)
    gone = {token.pk: gettext("%(name)s (revoked)") % {"name": token.name} for token in listed if token.pk not in found}
    return [*found.items(), *gone.items()]


def _foreign(widget_id: int, changes: Mapping[str, Any]) -> dict[str, str]:
    """Ids that are not the widget's."""
    found: dict[str, str] = {}
    operator_id, token_ids = changes.get("operator_id"), changes.get("token_ids", [])
    people = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.HUMAN)
    if operator_id is not None and not people.filter(pk=operator_id).exists():
        found["operator_id"] = "The widget has no human operator with this id."
    if ApiToken.objects.for_widget(widget_id).filter(pk__in=token_ids).count() < len(token_ids):
        found |= {"token_ids": "The widget has no such token."}
    return found


SETTINGS = SettingsTable(
    model=SupportSettings,
    further_refusals=_further_refusals,
    rows=(
        switch(
            "enabled",
            _("The desk is open"),
            sets_to_work=True,
            help_text=_("Off: every call of an agent is refused. It counts from the next call on."),
        ),
        reference(
            "operator_id",
            _("Answers as"),
            choices_of=operators_of,
            refusal=gettext_noop("Must be an operator's id, or null."),
            help_text=_(
                "The person whose name stands above what agents write. Opening the desk needs one who is not "
                "suspended; while they are suspended, agents are refused."
            ),
        ),
        references(
            "token_ids",
            _("API tokens of agents"),
            choices_of=tokens_of,
            exported=False,
            refusal=gettext_noop("Must be a list of ids of API tokens, each once."),
            help_text=_(
                "Only these may work at the desk, each with the scopes that it has. Opening the desk needs one."
            ),
        ),
        texts(
            "ip_allowlist",
            _("Addresses of agents"),
            rules.is_network,
            refusal=gettext_noop("Must be a list of addresses and networks, each once."),
            help_text=_(
                "Addresses and networks from which agents call, one a line, such as 192.0.2.7 or 2001:db8::/48. "
                "Opening the desk needs one."
            ),
        ),
        texts(
            "link_hosts",
            _("Websites"),
            is_host,
            refusal=gettext_noop("Must be a list of hosts' names, without wildcard, scheme, port or path."),
            help_text=_(
                "Every page of these websites may be sent. One name a line, such as shop.example: without *, https://, "
                "port or path. Another name of the website, such as www.shop.example, is a line of its own."
            ),
        ),
        texts(
            "exact_links",
            _("Single pages"),
            rules.is_exact_link,
            refusal=gettext_noop("Must be a list of links that begin with https://."),
            help_text=_("These pages may be sent, letter by letter as here. One a line, each begins with https://."),
        ),
        text(
            "app_store_id",
            _("App Store"),
            rules.is_app_store_id,
            refusal=gettext_noop("Must be digits, or empty."),
            help_text=_("The number of your app. The links of its page may be sent."),
        ),
        text(
            "play_package",
            _("Google Play"),
            rules.is_package,
            refusal=gettext_noop("Must be a package's name, such as com.example.app, or empty."),
            help_text=_("The package of your app, such as com.example.app. The links of its page may be sent."),
        ),
        texts(
            "ipv4_literals",
            _("IPv4 addresses"),
            rules.is_ipv4,
            refusal=gettext_noop("Must be a list of IPv4 addresses."),
            help_text=_("May be named, one a line."),
        ),
        texts(
            "messenger_handles",
            _("Names in messengers"),
            rules.is_handle,
            refusal=gettext_noop("Must be a list of handles of 3 to 32 letters, digits and _, without @."),
            help_text=_("May be named with @ and sent as a link of t.me. One a line, without @."),
        ),
        texts(
            "emails",
            _("E-mail addresses"),
            rules.is_email,
            refusal=gettext_noop("Must be a list of e-mail addresses."),
            help_text=_("May be named, one a line. A customer's own address always may be."),
        ),
        texts(
            "channels",
            _("Channels"),
            rules.CHANNELS.__contains__,
            choices=CHANNEL_NAMES,
            refusal=gettext_noop("Must be a list of widget, tg and app."),
            help_text=_("Where agents answer. Without the application, it can file no tickets either."),
        ),
        number(
            "room_reply_limit",
            _("Answers in a chat"),
            1,
            rules.MAX_ROOM_REPLIES,
            refusal=gettext_noop("Must be a whole number from 1 to 30."),
            help_text=_("In 30 minutes, by all agents together: 1 to 30."),
        ),
        number(
            "token_reply_limit_10min",
            _("Answers of a token in 10 minutes"),
            0,
            rules.MAX_LIMIT,
            refusal=gettext_noop("Must be a whole number from 0 (unlimited) to 1000000."),
            help_text=_("0 for any number."),
        ),
        number(
            "token_reply_limit_day",
            _("Answers of a token in a day"),
            0,
            rules.MAX_LIMIT,
            refusal=gettext_noop("Must be a whole number from 0 (unlimited) to 1000000."),
            help_text=_("In any 24 hours. 0 for any number."),
        ),
        switch(
            "email_codes",
            _("Codes by e-mail"),
            sets_to_work=True,
            help_text=_("Visitors of the website may prove their mailbox by a code of six digits that we mail them."),
        ),
        switch(
            "account_link",
            _("Links to accounts"),
            sets_to_work=True,
            help_text=_("Your application may say whose chat it is, by signed calls."),
        ),
        number(
            "unanswered_ticket_after_sec",
            _("A ticket for nobody's answer, after seconds"),
            0,
            rules.MAX_SECONDS,
            refusal=gettext_noop("Must be a whole number of seconds from 0 (never) to 604800."),
            help_text=_(
                "A visitor whom the AI has handed to people, and whom nobody answers, gets a ticket after so many "
                "seconds. 0: never; at most 604800, which are 7 days."
            ),
        ),
    ),
    sections=(
        (_("Who answers"), ("enabled", "operator_id", "token_ids", "ip_allowlist")),
        (
            _("Links that agents may send"),
            (
                "link_hosts",
                "exact_links",
                "app_store_id",
                "play_package",
                "ipv4_literals",
                "messenger_handles",
                "emails",
                "links",
            ),
        ),
        (
            _("Where, and how often"),
            ("channels", "room_reply_limit", "token_reply_limit_10min", "token_reply_limit_day"),
        ),
        (_("Customers"), ("unanswered_ticket_after_sec", "email_codes", "account_link")),
    ),
)

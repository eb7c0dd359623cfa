"""The cabinet's names of the support desk's values: its settings, in sections, and the values of tickets."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy

Words = str | Promise

LABELS: Mapping[str, Words] = {
    "enabled": _("The desk is open"),
    "operator_id": _("Answers as"),
    "token_ids": _("API tokens of agents"),
    "ip_allowlist": _("Addresses of agents"),
    "link_hosts": _("Websites"),
    "exact_links": _("Single pages"),
    "app_store_id": _("App Store"),
    "play_package": _("Google Play"),
    "ipv4_literals": _("IPv4 addresses"),
    "messenger_handles": _("Names in messengers"),
    "emails": _("E-mail addresses"),
    "channels": _("Channels"),
    "room_reply_limit": _("Answers in a chat"),
    "token_reply_limit_10min": _("Answers of a token in 10 minutes"),
    "token_reply_limit_day": _("Answers of a token in a day"),
    "email_codes": _("Codes by e-mail"),
    "account_link": _("Links to accounts"),
    "unanswered_ticket_after_sec": _("A ticket for nobody's answer, after seconds"),
}
HELP: Mapping[str, Words] = {
    "enabled": _("Off: every call of an agent is refused. It counts from the next call on."),
    "operator_id": _(
        "The person whose name stands above what agents write. Opening the desk needs one who is not suspended; while "
        "they are suspended, agents are refused."
    ),
    "token_ids": _("Only these may work at the desk, each with the scopes that it has. Opening the desk needs one."),
    "ip_allowlist": _(
        "Addresses and networks from which agents call, one a line, such as 192.0.2.7 or 2001:db8::/48. Opening the "
        "desk needs one."
    ),
    "link_hosts": _(
        "Every page of these websites may be sent. One name a line, such as shop.example: without *, https://, port or "
        "path. Another name of the website, such as www.shop.example, is a line of its own."
    ),
    "exact_links": _("These pages may be sent, letter by letter as here. One a line, each begins with https://."),
    "app_store_id": _("The number of your app. The links of its page may be sent."),
    "play_package": _("The package of your app, such as com.example.app. The links of its page may be sent."),
    "ipv4_literals": _("May be named, one a line."),
    "messenger_handles": _("May be named with @ and sent as a link of t.me. One a line, without @."),
    "emails": _("May be named, one a line. A customer's own address always may be."),
    "channels": _("Where agents answer. Without the application, it can file no tickets either."),
    "room_reply_limit": _("In 30 minutes, by all agents together: 1 to 30."),
    "token_reply_limit_10min": _("0 for any number."),
    "token_reply_limit_day": _("In any 24 hours. 0 for any number."),
    "email_codes": _("Visitors of the website may prove their mailbox by a code of six digits that we mail them."),
    "account_link": _("Your application may say whose chat it is, by signed calls."),
    "unanswered_ticket_after_sec": _(
        "A visitor whom the AI has handed to people, and whom nobody answers, gets a ticket after so many seconds. "
        "0: never; at most 604800, which are 7 days."
    ),
}
LINKS = ("link_hosts", "exact_links", "app_store_id", "play_package", "ipv4_literals", "messenger_handles", "emails")
SECTIONS: tuple[tuple[Words, tuple[str, ...]], ...] = (
    (_("Who answers"), ("enabled", "operator_id", "token_ids", "ip_allowlist")),
    (_("Links that agents may send"), LINKS),
    (
        _("Where, and how often"),
        ("channels", "room_reply_limit", "token_reply_limit_10min", "token_reply_limit_day"),
    ),
    (_("Customers"), ("unanswered_ticket_after_sec", "email_codes", "account_link")),
)
CHANNEL_NAMES: Mapping[str, Words] = {
    "widget": _("the website's widget"),
    "tg": _("Telegram"),
    "app": _("your application"),
}
# What the rules refuse (`rules.settings`), which know no translations.
REFUSALS = (
    gettext_noop("Must be an operator's id, or null."),
    gettext_noop("Must be a list of ids of API tokens, each once."),
    gettext_noop("Must be a list of addresses and networks, each once."),
    gettext_noop("Must be a list of hosts' names, without wildcard, scheme, port or path."),
    gettext_noop("Must be a list of links that begin with https://."),
    gettext_noop("Must be digits, or empty."),
    gettext_noop("Must be a package's name, such as com.example.app, or empty."),
    gettext_noop("Must be a list of IPv4 addresses."),
    gettext_noop("Must be a list of handles of 3 to 32 letters, digits and _, without @."),
    gettext_noop("Must be a list of e-mail addresses."),
    gettext_noop("Must be a list of widget, tg and app."),
    gettext_noop("Must be true or false."),
    gettext_noop("Must be a whole number from 1 to 30."),
    gettext_noop("Must be a whole number from 0 (unlimited) to 1000000."),
    gettext_noop("Must be a whole number of seconds from 0 (never) to 604800."),
    gettext_noop("Enabling needs an active human operator of the widget."),
    gettext_noop("Enabling needs a token of the widget that is not revoked."),
    gettext_noop("Enabling needs at least one address or network."),
    gettext_noop("The widget has no human operator with this id."),
    gettext_noop("The widget has no such token."),
)
# What the stored values are called: of tickets, then of agents' steps.
VALUES = (
    *(pgettext_lazy("value", "open"), pgettext_lazy("value", "closed")),
    *(pgettext_lazy("value", "app_request"), pgettext_lazy("value", "offline_form")),
    *(pgettext_lazy("value", "customer_request"), pgettext_lazy("value", "safety")),
    *(pgettext_lazy("value", "ai_failed"), pgettext_lazy("value", "ai_handoff")),
    *(pgettext_lazy("value", "unanswered"), pgettext_lazy("value", "resolved")),
    *(pgettext_lazy("value", "answered_by_email"), pgettext_lazy("value", "duplicate")),
    *(pgettext_lazy("value", "false_positive"), pgettext_lazy("value", "answered")),
    *(pgettext_lazy("value", "urgent"), pgettext_lazy("value", "high")),
    *(pgettext_lazy("value", "normal"), pgettext_lazy("value", "low")),
    *(pgettext_lazy("value", "question"), pgettext_lazy("value", "bug"), pgettext_lazy("value", "billing")),
    *(pgettext_lazy("value", "refund"), pgettext_lazy("value", "account"), pgettext_lazy("value", "complaint")),
    *(pgettext_lazy("value", "feedback"), pgettext_lazy("value", "other")),
    *(pgettext_lazy("value", "app"), pgettext_lazy("value", "assistant"), pgettext_lazy("value", "web_cabinet")),
    *(pgettext_lazy("value", "email"), pgettext_lazy("value", "widget")),
    *(pgettext_lazy("value", "reply"), pgettext_lazy("value", "claim"), pgettext_lazy("value", "release")),
    *(pgettext_lazy("value", "close"), pgettext_lazy("value", "reopen")),
    *(pgettext_lazy("value", "stored"), pgettext_lazy("value", "unconfirmed"), pgettext_lazy("value", "failed")),
    *(pgettext_lazy("value", "done"), pgettext_lazy("value", "refused")),
    *(pgettext_lazy("value", "held_for_owner"), pgettext_lazy("value", "already_closed")),
)

"""The cabinet's names of the support desk's values: channels, tickets and agents' steps."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy

Words = str | Promise

CHANNEL_NAMES: Mapping[str, Words] = {
    "widget": _("the website's widget"),
    "tg": _("Telegram"),
    "app": _("your application"),
}
# What the rules refuse (`rules.settings`), which know no translations.
REFUSALS = (
    gettext_noop("Enabling needs an active human operator of the widget."),
    gettext_noop("Enabling needs a token of the widget that is not revoked."),
    gettext_noop("Enabling needs at least one address or network."),
    gettext_noop("The widget has no human operator with this id."),
    gettext_noop("The widget has no such token."),
    gettext_noop("There is no such assistant."),
    gettext_noop("A ticket is no duplicate of itself."),
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
# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "category": gettext_noop("category"),
    "assistant": gettext_noop("assistant"),
}

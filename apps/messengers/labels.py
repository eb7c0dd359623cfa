"""The words for people of what this app stores, marked for translation."""

from django.utils.translation import gettext_noop, pgettext_lazy

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "updates": gettext_noop("how messages come"),
    "token_expires_at": gettext_noop("token is valid until"),
    "app_secret": gettext_noop("app secret"),
    "account_name": gettext_noop("account's name"),
    "public_name": gettext_noop("public name"),
    "is_primary": gettext_noop("main connection"),
    "server_id": gettext_noop("server"),
    "webhook_status": gettext_noop("state of the webhook"),
    "webhook_attempted": gettext_noop("webhook was tried"),
    "webhook_detail": gettext_noop("words of the webhook"),
    "webhook_at": gettext_noop("webhook was set at"),
    "pending_since": gettext_noop("pending since"),
    "problem_code": gettext_noop("problem"),
    "problem_detail": gettext_noop("problem's details"),
    "problem_at": gettext_noop("time of the problem"),
    "poll_offset": gettext_noop("place in the queue"),
    "rests_until": gettext_noop("rests until"),
    "last_inbound_at": gettext_noop("last message in"),
    "last_outbound_at": gettext_noop("last message out"),
}

# The names of kinds of content that messengers tell of and do not show, by the messengers' own names of them.
KIND_WORDS = {
    "story": pgettext_lazy("kind of message", "Story"),
    "giveaway": pgettext_lazy("kind of message", "Giveaway"),
    "giveaway_winners": pgettext_lazy("kind of message", "Winners of a giveaway"),
    **dict.fromkeys(("gift", "unique_gift", "gift_upgrade_sent"), pgettext_lazy("kind of message", "Gift")),
    "paid_media": pgettext_lazy("kind of message", "Paid pictures or videos"),
    "poll_creation": pgettext_lazy("kind of message", "Poll"),
    "file": pgettext_lazy("kind of message", "File"),
    "video": pgettext_lazy("kind of message", "Video"),
    "appCall": pgettext_lazy("kind of message", "Call in the app"),
}

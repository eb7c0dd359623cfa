"""Refusals of actions in the reader's language: what a form says where the API says it in English.

By the code of a problem, and by the text of a field's error. A refusal without words here is said as the API says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from django.utils.translation import gettext, gettext_noop

from apps.core.problems import Problem
from apps.egress import BulkheadFull, EgressRefused

PROBLEMS = {
    "invalid_input": gettext_noop("Something in the form can't be taken. Nothing was changed."),
    "not_found": gettext_noop("It is not there any more."),
    "rate_limited": gettext_noop("Too many calls. Try again in a minute."),
    "outbound_busy": gettext_noop("Too much is called for this widget now. Try again in a second."),
    "provider_busy": gettext_noop("Too much is asked of the vendor now. Try again in a second."),
    "try_again": gettext_noop("The service can't do it now. Try again in a minute."),
    "ai_budget_exhausted": gettext_noop("The widget's AI tokens of today are used up. Raise the limit, or wait."),
    "assistant_in_use": gettext_noop("An AI operator runs this assistant: give that one another assistant first."),
    "too_many_model_lists": gettext_noop("The vendor was asked for its models often enough. Try again in an hour."),
    "credential_inactive": gettext_noop("The key is switched off: switch it on first."),
    "credential_unavailable": gettext_noop("There is no key that works. Add one under AI, Keys."),
    "provider_failure": gettext_noop("The AI vendor did not answer. Try again, or look at the key."),
    "test_rate_limited": gettext_noop("Too many tests. Try again in a minute."),
    "test_unavailable": gettext_noop("No test can run now. Try again in a minute."),
    "test_budget_exhausted": gettext_noop("The test took too long."),
    "invalid_transition": gettext_noop("This can't be done in the state that it is in now."),
    "rotation_under_way": gettext_noop("A change of the secret is under way already."),
    "not_rotating": gettext_noop("No change of the secret is under way."),
    "test_in_flight": gettext_noop("A test is under way already."),
    "delivery_unavailable": gettext_noop("Nothing can be delivered now."),
    "operator_revoked": gettext_noop("It was revoked for good."),
    "operator_not_verified": gettext_noop("Its address has not proved itself yet: test it first."),
    "operator_not_revoked": gettext_noop("Revoke it first."),
    "owner_protected": gettext_noop("The widget's owner stays."),
    "ai_operator_protected": gettext_noop("AI operators are removed on their own page."),
    "seat_limit_reached": gettext_noop("No seat is free: free one, or take more seats."),
    "avatar_storage_failed": gettext_noop("The picture could not be stored. Try again."),
    "already_invited": gettext_noop("This address is invited already; the invitation can be sent again."),
    "already_an_agent": gettext_noop("Somebody of the widget has this e-mail address already."),
    "invitation_limit_reached": gettext_noop("Enough was invited in this hour. Try again later."),
    "mail_failed": gettext_noop("The mail could not be sent. Try again."),
    "kb_full": gettext_noop("The knowledge base is full: delete something first."),
    "kb_embed_provider_failed": gettext_noop("The vendor of the knowledge base's model did not answer. Try again."),
    "kb_upload_busy": gettext_noop("The document is being read. Try again in a minute."),
    "kb_crawl_running": gettext_noop("The website is being read already."),
    "integration_exists": gettext_noop("The widget has an application of its own already."),
    "ticket_not_open": gettext_noop("The ticket is closed."),
    "ticket_not_closed": gettext_noop("The ticket is open."),
    "reopen_window_passed": gettext_noop("The ticket was closed too long ago to be opened again."),
    "chat_has_open_ticket": gettext_noop("The chat has another open ticket."),
    "webhook_url_taken": gettext_noop("This address has a webhook already."),
    "purged_too_often": gettext_noop("That was done often enough in this minute. Try again in the next."),
    "widget_icons_full": gettext_noop("The widget has as many icons as it may: delete one first."),
    "widget_icon_in_use": gettext_noop("A setting uses this icon: choose another one there first."),
    "widget_icon_storage_failed": gettext_noop("The icon could not be stored. Try again."),
    "widget_translation_disabled": gettext_noop("Translation by AI is switched off in the settings."),
    "widget_translation_credential_missing": gettext_noop("There is no AI key to translate with."),
    "widget_translation_rate_limited": gettext_noop("The translations of this hour are used up."),
    "learning_gate_closed": gettext_noop("Learning is switched off here."),
    "learning_cycle_running": gettext_noop("The assistant is being tuned already."),
    "persona_conflict": gettext_noop("This change can't be undone by itself: later ones rest on it."),
    "persona_changed": gettext_noop("The persona has changed meanwhile: look again."),
    "already_live": gettext_noop("This version is the one in use already."),
    "probation_running": gettext_noop("Another change is on probation."),
    "preview_outdated": gettext_noop("What was shown is out of date: look again."),
    "wish_state": gettext_noop("The wish is in another state by now."),
    "patch_refused": gettext_noop("The change breaks a rule of safety, and was not made."),
    "entity_locked_by_pending_withdrawal": gettext_noop("An unpaid withdrawal names this company."),
    "entity_referenced_by_financial_record": gettext_noop("An invoice or a payment names this company."),
}
FIELDS = (
    gettext_noop("This is not what it may be."),
    gettext_noop("This must not be blank."),
    gettext_noop("Must be an absolute URL."),
    gettext_noop("Must be an absolute URL that starts with https://."),
    gettext_noop("Must not contain spaces, backslashes or control characters."),
    gettext_noop("Must not contain a user name or password."),
    gettext_noop("Must not have a fragment."),
    gettext_noop("Must be a number."),
    gettext_noop("Must be a text."),
    gettext_noop("Must be 1 to 4096 visible ASCII characters."),
    gettext_noop("Must consist of visible characters."),
    gettext_noop("Must be a bot token: the bot's id, a colon and its secret."),
    gettext_noop("Must be 5 to 20 digits."),
    gettext_noop("The plan has no premium skins."),
    gettext_noop("This is no whole static PNG, animated WebP or animated GIF."),
    gettext_noop("There is no such assistant."),
    gettext_noop("Each may stand in the list once."),
    gettext_noop("One assistant is the default: mark another one instead."),
    gettext_noop("A ticket is no duplicate of itself."),
    gettext_noop("Is too long once it is encoded."),
    gettext_noop("Must be true or false."),
)
# Texts with a number in them: how the API says it, and how a form does.
PATTERNS = (
    (re.compile(r"Ensure this field has no more than (\d+) characters\."), gettext_noop("At most %s characters.")),
    (re.compile(r"Must have at most (\d+) characters\."), gettext_noop("At most %s characters.")),
    (re.compile(r"Must have at most (\d+) bytes\."), gettext_noop("At most %s bytes.")),
)


def words_of(problem: Problem) -> str:
    """The refusal in the reader's language: its code's sentence, then what is said of its fields."""
    of_fields = list(field_words(problem))
    if of_fields and problem.type.code == "invalid_input":
        return " ".join(of_fields)
    sentence = PROBLEMS.get(problem.type.code)
    return gettext(sentence) if sentence else gettext(problem.type.explanation)


def field_words(problem: Problem) -> Iterator[str]:
    """The errors of a refusal's fields, each text in the reader's language."""
    return (in_readers_words(text) for texts in problem.errors.values() for text in texts)


OWN_NETWORKS = (".local", ".localhost", ".internal", ".lan", ".home.arpa")


def why_not_called(address: str, refusal: object) -> str:
    """Why an address that was typed can't be called, in the reader's language; `refusal` is what `egress.vet` raised.

    The advice on EGRESS_ALLOW is for addresses of one's own network alone, and looks at the text only: what a name
    resolves to is not told.
    """
    if isinstance(refusal, BulkheadFull):
        return gettext("Too many addresses are looked up now. Try again in a second.")
    reason = refusal.reason if isinstance(refusal, EgressRefused) else ""
    if reason == "userinfo":
        return gettext("Must not contain a user name or password.")
    if reason == "not_https":
        host = re.split(r"[/?#]", address.partition("://")[2], maxsplit=1)[0]
        if not _is_of_own_network(host):
            return gettext("The address must begin with https://.")
        advice = gettext(
            "For a program on this machine or in your own network, whoever runs the installation names it in "
            "EGRESS_ALLOW, here %(host)s."
        ) % {"host": host}
        return gettext("An https address of a public host is needed, whose name is known.") + " " + advice
    return gettext("An https address of a public host is needed, whose name is known.")


def _is_of_own_network(host: str) -> bool:
    name = host.rpartition(":")[0] if re.search(r":\d*$", host) else host
    try:
        return not ip_address(name.strip("[]")).is_global
    except ValueError:
        return "." not in name.rstrip(".") or name.rstrip(".").lower().endswith(OWN_NETWORKS)


def in_readers_words(text: str) -> str:
    """A field's error, as an action or a serializer has said it in English, in the reader's language."""
    for pattern, words in PATTERNS:
        if found := pattern.fullmatch(text):
            return gettext(words) % found.groups()
    return gettext(text) if text else ""

"""The settings of a widget's AI."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.rules.settings import MAX_ID, Setting, choice, number, switch, text, texts
from apps.accounts.settings import Changes, SettingsTable
from apps.ai.models import AiSettings
from apps.ai.rules.configuration import (
    MAX_LINK_HOSTS,
    MAX_MINUTES_PER_REPLY,
    MAX_SYSTEM_PROMPT,
    MAX_TAKEOVER_S,
    MIN_TAKEOVER_S,
    OfflineOutcomeMode,
)
from apps.ai.rules.disclosures import are_wordings, is_wording
from apps.ai.rules.evaluations import EvaluationGate
from apps.ai.rules.links import is_host
from apps.ai.rules.phrases import cleaned


def settings_of(widget_id: int) -> AiSettings:
    """The widget's settings, or the defaults without a row."""
    row: AiSettings = SETTINGS.row_of(widget_id)
    return row


def _derived(row: AiSettings, changes: Changes, is_new: bool) -> dict[str, Any]:
    """Messages from before AI was switched on stay for people. Sentences by language are merged; None takes one."""
    derived: dict[str, Any] = {}
    if changes.get("enabled", row.enabled) != row.enabled:
        derived["enabled_since"] = timezone.now() if changes["enabled"] else None
    if (sentences := changes.get("ai_disclosure_i18n")) is not None:
        together = {**row.ai_disclosure_i18n, **sentences}
        derived["ai_disclosure_i18n"] = {name: cleaned(text) for name, text in together.items() if text is not None}
    return derived


SETTINGS = SettingsTable(
    model=AiSettings,
    derived=_derived,
    rows=(
        switch(
            "enabled",
            _("the AI answers"),
            sets_to_work=True,
            about="The master switch: while it is off, nothing replies.",
        ),
        switch(
            "shadow_mode",
            _("shadow mode: answers are notes for operators"),
            sets_to_work=True,
            about="Answers are notes for operators, and visitors see none.",
        ),
        switch("rag_enabled", _("uses the knowledge base")),
        switch("presence_context_enabled", _("knows whether operators are there"), sets_to_work=True),
        switch("autonomous_tuning_enabled", _("tunes itself"), sets_to_work=True),
        switch("external_operators_enabled", _("external operators answer"), sets_to_work=True),
        number(
            "takeover_timeout_sec",
            _("takes over after seconds"),
            MIN_TAKEOVER_S,
            MAX_TAKEOVER_S,
            zero=True,
            refusal=gettext_noop("Must be 0, or from 5 to 86400."),
            about="0: never; else from 5 to 86400 seconds.",
        ),
        choice(
            "offline_outcome_mode",
            _("when nobody is there"),
            {
                OfflineOutcomeMode.HANDOVER.value: _("hand over all the same"),
                OfflineOutcomeMode.ANSWER_ONLY.value: _("show the assistant's text, if there is one"),
            },
            refusal=gettext_noop("Must be handover or answer_only."),
        ),
        number(
            "daily_token_budget",
            _("tokens a day"),
            0,
            MAX_ID,
            nullable=True,
            refusal=gettext_noop("Must be a number of tokens, or null."),
            help_text=_(
                "Beyond them no model is asked, and chats are handed over. Empty: the installation's limit; 0: none."
            ),
        ),
        texts(
            "link_hosts",
            _("websites that answers may link to"),
            is_host,
            most=MAX_LINK_HOSTS,
            clean=str.lower,
            refusal=gettext_noop("Must be hosts' names, such as shop.example: no scheme, port or path."),
            about="Hosts of any page that answers may link to, such as shop.example; each once.",
            help_text=_(
                "One name a line, such as shop.example. The site's own and those in the assistant's texts need no line."
            ),
        ),
        choice(
            "evaluation_gate",
            _("a change that loses a test question"),
            {
                EvaluationGate.ASK.value: _("waits for a person"),
                EvaluationGate.OFF.value: _("is made all the same"),
            },
            refusal=gettext_noop("Must be ask or off."),
            about="`ask`: a wish or a tuning cycle that loses a test question waits for a person; `off`: it does not.",
            help_text=_("Wishes and tuning are examined first; a text edited by hand is not."),
        ),
        number(
            "minutes_per_reply",
            _("minutes that an answer saves a person"),
            0,
            MAX_MINUTES_PER_REPLY,
            refusal=gettext_noop("Must be a number from 0 to 60."),
            help_text=_("By it, reports reckon the hours that AI has saved."),
        ),
        text(
            "legacy_persona",
            _("persona of before"),
            lambda value: len(value) <= MAX_SYSTEM_PROMPT,
            is_long=True,
            nullable=True,
            refusal=gettext_noop("The text is too long."),
        ),
        Setting(
            name="ai_disclosure",
            kind="string",
            label=_("first sentence of the AI"),
            fits=is_wording,
            refusal=gettext_noop("Must have words, and 500 characters at most: the sentence can't be taken away."),
            clean=cleaned,
            nullable=True,
            about="The first sentence before AI's messages, in the owner's words; null: the default of each language.",
            help_text=_(
                "Visitors read it before the AI's first message. Left empty, it is the one that is shown in grey below."
                " The law of the EU demands it: it can be worded, but not taken away."
            ),
        ),
        Setting(
            name="ai_disclosure_i18n",
            kind="object",
            label=_("first sentence of the AI"),
            fits=are_wordings,
            refusal=gettext_noop("Must be texts by language, each with words, and 500 characters at most."),
            about="The same by language, before `ai_disclosure`; a change is merged, and null removes one.",
        ),
    ),
)

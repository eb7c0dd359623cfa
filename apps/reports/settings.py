"""The settings of a widget's reports: how visitors are asked for ratings."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.rules.settings import Setting, choice, number
from apps.accounts.settings import Changes, SettingsTable
from apps.reports.models import RatingPolicy
from apps.reports.querysets.channels import unknown_channels
from apps.reports.rules.ratings import (
    HIGHEST_LOW,
    LOWEST_LOW,
    MAX_AGAIN_DAYS,
    MAX_CHANNELS,
    MAX_DELAY_MINUTES,
    MAX_VALID_DAYS,
    Ask,
    AskedEnd,
    AskedOutcome,
    CommentRule,
    OnLow,
    Scale,
    are_texts,
    channels_read,
    channels_written,
    is_channel,
    texts_read,
    texts_written,
)


def policy_of(widget_id: int) -> RatingPolicy:
    """The widget's policy, or the defaults without a row."""
    row: RatingPolicy = POLICY.row_of(widget_id)
    return row


def _derived(row: RatingPolicy, changes: Changes, is_new: bool) -> dict[str, Any]:
    """Only episodes that end from now on are asked about."""
    if changes.get("ask", row.ask) == row.ask:
        return {}
    return {"since": timezone.now() if changes["ask"] == Ask.AFTER_END else None}


def _foreign_channels(row: RatingPolicy, changes: Changes) -> dict[str, str]:
    named = changes.get("channels") or []
    return {"channels": "There is no such channel."} if unknown_channels(row.widget_id, named) else {}


def _texts(name: str, label: Any, about: str) -> Setting:
    return Setting(
        name=name,
        kind="object",
        label=label,
        fits=are_texts,
        refusal=gettext_noop(
            "Must be texts by language (en, de, es, ru, el, zh, ar), each in one line of 1 to 300 characters."
        ),
        as_text=(texts_written, texts_read),
        about=about,
        help_text=_("One a line: <code>en: How did we do?</code> Empty: the language's default."),
    )


def _some(name: str, label: Any, named: Mapping[str, Any], *, refusal: str, about: str) -> Setting:
    """Some of a few values, at least one."""
    return Setting(
        name=name,
        kind="array",
        label=label,
        is_good_entry=named.__contains__,
        choices=named,
        most=len(named),
        fits=_each_once(named.__contains__, least=1),
        refusal=refusal,
        about=about,
    )


def _each_once(is_good: Callable[[str], bool], *, least: int) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        if not isinstance(value, list) or not all(isinstance(one, str) and is_good(one) for one in value):
            return False
        return least <= len(value) == len(set(value))

    return fits


POLICY = SettingsTable(
    model=RatingPolicy,
    derived=_derived,
    further_refusals=_foreign_channels,
    rows=(
        choice(
            "ask",
            _("who asks for ratings"),
            {
                Ask.MANUAL.value: _("operators and the API alone"),
                Ask.AFTER_END.value: _("the service too, once a conversation is over"),
            },
            sets_to_work=True,
            refusal=gettext_noop("Must be manual or after_end."),
            about="`after_end`: the service asks, too, about episodes that end from then on.",
        ),
        _some(
            "outcomes",
            _("after an answer by"),
            {AskedOutcome.PERSON.value: _("a person"), AskedOutcome.AI.value: _("AI")},
            refusal=gettext_noop("Must be person, ai or both."),
            about="The outcomes of episodes that are asked about.",
        ),
        _some(
            "ended_by",
            _("when the conversation was ended by"),
            {
                AskedEnd.OPERATOR.value: _("an operator who closed it"),
                AskedEnd.API.value: _("the API or an automation"),
                AskedEnd.SILENCE.value: _("a day of silence"),
            },
            refusal=gettext_noop("Must be some of operator, api and silence."),
            about="The ends of episodes that are asked about.",
        ),
        Setting(
            name="channels",
            kind="array",
            label=_("only in these channels"),
            is_good_entry=is_channel,
            fits=_each_once(is_channel, least=1),
            nullable=True,
            most=MAX_CHANNELS,
            as_text=(channels_written, channels_read),
            refusal=gettext_noop("Must be codes of channels, each once, or null."),
            about="Null: in all channels.",
            help_text=_("One code a line: widget, tg … Empty: in all channels."),
        ),
        number(
            "delay_minutes",
            _("minutes after the end"),
            0,
            MAX_DELAY_MINUTES,
            refusal=gettext_noop("Must be a number from 0 to 1440."),
        ),
        number(
            "again_days",
            _("not again within days"),
            0,
            MAX_AGAIN_DAYS,
            refusal=gettext_noop("Must be a number from 0 to 365."),
            about="The same person is not asked again within so many days.",
            help_text=_("The same person is not asked again within so many days."),
        ),
        number(
            "valid_days",
            _("days in which the answer may come"),
            1,
            MAX_VALID_DAYS,
            refusal=gettext_noop("Must be a number from 1 to 60."),
        ),
        choice(
            "scale",
            _("scale"),
            {
                Scale.STARS.value: _("five stars"),
                Scale.FACES.value: _("five faces"),
                Scale.THUMBS.value: _("a thumb up or down (5 or 1)"),
            },
            refusal=gettext_noop("Must be stars, faces or thumbs."),
            about="`thumbs` gives 5 and 1.",
        ),
        _texts("question_i18n", _("question"), "By language; each has a default of its own."),
        _texts("thanks_i18n", _("thanks"), "By language; each has a default of its own."),
        choice(
            "comment",
            _("asks for words"),
            {
                CommentRule.NEVER.value: _("never"),
                CommentRule.LOW.value: _("after a low rating"),
                CommentRule.ALWAYS.value: _("always"),
            },
            refusal=gettext_noop("Must be never, low or always."),
        ),
        number(
            "low",
            _("a rating is low up to"),
            LOWEST_LOW,
            HIGHEST_LOW,
            refusal=gettext_noop("Must be a number from 1 to 3."),
        ),
        choice(
            "on_low",
            _("after a low rating"),
            {
                OnLow.NONE.value: _("nothing happens"),
                OnLow.WAITS.value: _("the chat is open again and waits for a person"),
            },
            refusal=gettext_noop("Must be none or waits."),
            about="`waits`: the chat is open again and waits for a person, with the reason `low_rating`.",
        ),
    ),
    sections=(
        (_("When"), ("ask", "outcomes", "ended_by", "channels", "delay_minutes", "again_days", "valid_days")),
        (_("What visitors see"), ("scale", "question_i18n", "thanks_i18n", "comment")),
        (_("Low ratings"), ("low", "on_low")),
    ),
)

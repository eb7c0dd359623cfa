"""The caller's own choices."""

from typing import Any

from django.utils.translation import get_language
from rest_framework import serializers

from apps.agents.actions.choices import change_choices, choices_of
from apps.agents.rules.absence import shown_break
from apps.agents.rules.choices import MAX_READS, reads_refusal
from apps.console.actions.weekly_letter import choose_weekly_letter, gets_weekly_letter
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import MANAGERS_ONLY
from apps.console.querysets.page import HAS_LETTERS
from apps.console.rules.limits import spoken
from apps.console.serializers.responses import MeSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Boolean, Items, Text
from apps.core.endpoints.viewsets import EndpointViewSet


class QuietBody(Body):
    """Hours in which no e-mails come, by the clock of a time zone."""

    to = Text(max_length=5)
    zone = Text(required=False, allow_null=True, default=None, max_length=64, help_text="Null: the widget's.")

    def get_fields(self) -> Any:
        return {"from": Text(max_length=5), **super().get_fields()}


class NoticeLettersBody(Body):
    """Whether e-mails wake the operator, and when not; whether the weekly letter comes, for managers."""

    waiting = Boolean(required=False)
    weekly = Boolean(required=False)
    quiet = QuietBody(required=False, allow_null=True)

    def validate_quiet(self, value: Any) -> Any:
        from apps.letters.rules.waking import quiet_refusal

        if value is not None and (refusal := quiet_refusal(value)):
            raise serializers.ValidationError(refusal)
        return value


class MeBody(Body):
    """The choices to change."""

    letters = NoticeLettersBody(required=False)
    reads = Items(child=Text(max_length=3), required=False, max_length=MAX_READS)
    show_translation = Boolean(required=False)
    next_after_close = Boolean(required=False)
    formatting = Boolean(required=False)

    def validate_reads(self, value: Any) -> Any:
        if refusal := reads_refusal(value):
            raise serializers.ValidationError(refusal)
        return value


class MeViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="Show my choices", answers=MeSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """E-mails that wake, the languages that the caller reads, and habits of the composer.

        `letters`: whether an e-mail wakes the caller when a visitor waits and nobody is there.
        """
        return _choices(context)

    @operation(
        summary="Change my choices",
        takes=MeBody,
        answers=MeSerializer,
        example={"letters": {"waiting": True, "quiet": {"from": "22:00", "to": "07:00", "zone": "Europe/Moscow"}}},
        problems=(MANAGERS_ONLY,),
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """Choices that are not named stay. A letter that quiet hours held comes at their end. The weekly letter is for
        owners and managers.
        """
        changes = dict(context.body)
        letters = dict(changes.pop("letters", None) or {})
        weekly = letters.pop("weekly", None)
        if weekly is not None:
            if not context.caller.is_manager:
                raise MANAGERS_ONLY()
            choose_weekly_letter(context.caller.agent, is_wanted=weekly)
        if letters and HAS_LETTERS:
            from apps.letters.actions.waiting import change_notice_settings

            said = {**_notices(context), **letters}
            change_notice_settings(widget_id=context.widget_id, agent_id=context.caller.agent.pk, **said)
        if changes:
            change_choices(widget_id=context.widget_id, agent_id=context.caller.agent.pk, changes=changes)
        return _choices(context)


def _choices(context: RequestContext) -> dict[str, Any]:
    choices = choices_of(context.widget_id, context.caller.agent.pk)
    return {
        "break": shown_break(context.caller.agent),
        "letters": _letters(context),
        "reads": choices.reads or [spoken(get_language())],
        "show_translation": choices.show_translation,
        "next_after_close": choices.next_after_close,
        "formatting": choices.formatting,
    }


def _letters(context: RequestContext) -> dict[str, Any]:
    return {**_notices(context), "weekly": gets_weekly_letter(context.caller.agent)}


def _notices(context: RequestContext) -> dict[str, Any]:
    if not HAS_LETTERS:
        return {"waiting": False, "quiet": None}
    from apps.letters.actions.waiting import notice_settings

    return notice_settings(context.widget_id, context.caller.agent.pk)

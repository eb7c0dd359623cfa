"""The caller's own choices."""

from typing import Any

from django.apps import apps as django_apps
from django.utils.translation import get_language
from rest_framework import serializers

from apps.agents.actions.choices import change_choices, choices_of
from apps.agents.rules.choices import MAX_READS, reads_refusal
from apps.console import rules
from apps.console.authentication import SessionAuthenticator
from apps.console.serializers.responses import MeSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Boolean, Items, Text
from apps.core.endpoints.viewsets import EndpointViewSet


class QuietBody(Body):
    """Hours in which no letters come, by the clock of a time zone."""

    to = Text(max_length=5)
    zone = Text(required=False, allow_null=True, default=None, max_length=64, help_text="Null: the widget's.")

    def get_fields(self) -> Any:
        return {"from": Text(max_length=5), **super().get_fields()}


class NoticeLettersBody(Body):
    """Whether letters wake the operator, and when not."""

    waiting = Boolean(required=False)
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
    def retrieve(self, call: RequestContext) -> dict[str, Any]:
        """Letters that wake, the languages that the caller reads, and habits of the composer.

        `letters`: whether a letter wakes the caller when a visitor waits and nobody is there.
        """
        return _choices(call)

    @operation(
        summary="Change my choices",
        takes=MeBody,
        answers=MeSerializer,
        example={"letters": {"waiting": True, "quiet": {"from": "22:00", "to": "07:00", "zone": "Europe/Moscow"}}},
    )
    def partial_update(self, call: RequestContext) -> dict[str, Any]:
        """Choices that are not named stay. A letter that quiet hours held comes at their end."""
        changes = dict(call.body)
        letters = changes.pop("letters", None)
        if letters and django_apps.is_installed("apps.letters"):
            from apps.letters.actions.waiting import change_notice_settings

            said = {**_letters(call), **letters}
            change_notice_settings(widget_id=call.widget_id, agent_id=call.caller.agent.pk, **said)
        if changes:
            change_choices(widget_id=call.widget_id, agent_id=call.caller.agent.pk, changes=changes)
        return _choices(call)


def _choices(call: RequestContext) -> dict[str, Any]:
    choices = choices_of(call.widget_id, call.caller.agent.pk)
    return {
        "letters": _letters(call),
        "reads": choices.reads or [rules.spoken(get_language())],
        "show_translation": choices.show_translation,
        "next_after_close": choices.next_after_close,
        "formatting": choices.formatting,
    }


def _letters(call: RequestContext) -> dict[str, Any]:
    if not django_apps.is_installed("apps.letters"):
        return {"waiting": False, "quiet": None}
    from apps.letters.actions.waiting import notice_settings

    return notice_settings(call.widget_id, call.caller.agent.pk)

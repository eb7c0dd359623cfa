"""Canned replies as operators see them."""

from rest_framework import serializers

from apps.console.rules.translated_replies import ReplyTranslationState
from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextList
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text


class ReplyTranslationSerializer(RowSerializer):
    """A canned reply in another language."""

    lang = Text()
    text = Text()
    state = Choice(
        choices=list(ReplyTranslationState), help_text="A `stale` one was made of another text, and is not used."
    )


class ReplyTranslationList(serializers.ListField):
    """The translations of a canned reply."""

    child = ReplyTranslationSerializer()


class ReplySerializer(RowSerializer):
    """A canned reply."""

    id = Integer()
    shortcut = Text()
    body = Text()
    is_shared = MethodField(
        Boolean(help_text="It is the widget's: every operator of it uses and changes it."),
        columns=("agent_id",),
        from_=lambda agent_id: agent_id is None,
    )
    is_mine = MethodField(
        Boolean(help_text="It is the caller's own."), columns=("agent_id",), from_=lambda agent_id: agent_id is not None
    )
    translations = MethodField(ReplyTranslationList(), columns=("translations",), from_=list)


class FilledReplySerializer(RowSerializer):
    """A canned reply for a chat."""

    text = Text()
    lang = Text()
    missing = TextList(help_text="The variables that nothing is known for, and that have no fallback.")

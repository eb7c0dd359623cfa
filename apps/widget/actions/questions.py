"""Changing the questions before a chat."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actions.settings import change_settings
from apps.chats.settings import SETTINGS, console_settings
from apps.core.errors import INVALID_INPUT
from apps.widget.models import QuestionSet
from apps.widget.querysets.settings import settings_of
from apps.widget.rules.fields import SUPPORTED
from apps.widget.rules.questions import declared_with, set_refusals


@transaction.atomic
def set_questions(*, widget_id: int, members: Mapping[str, Any]) -> QuestionSet:
    """Replaces the questions of a widget: `members` are those of `serializers.questions.QuestionSetBody`.

    Once they are on, operators edit the attributes by the questions' kinds, where these have none yet.

    Raises INVALID_INPUT (422) by path; then nothing is stored.
    """
    supported = settings_of(widget_id).values[SUPPORTED]
    if refusals := set_refusals(members["intro"], members["questions"], supported):
        raise INVALID_INPUT(errors={path: [text] for path, text in refusals.items()})
    QuestionSet.objects.bulk_create([QuestionSet(widget_id=widget_id)], ignore_conflicts=True)
    row = QuestionSet.objects.for_widget(widget_id).get_for_update()
    names = ("is_on", "intro", "questions")
    if any(getattr(row, name) != members[name] for name in names):
        for name in names:
            setattr(row, name, members[name])
        row.updated_at = timezone.now()
        row.save(update_fields=[*names, "updated_at"])
    if row.is_on:
        _declare(widget_id, row)
    return row


def _declare(widget_id: int, row: QuestionSet) -> None:
    declared = console_settings(widget_id).attribute_kinds
    found = declared_with(declared, row.questions)
    if found != declared:
        change_settings(SETTINGS, widget_id=widget_id, changes={"attribute_kinds": found})

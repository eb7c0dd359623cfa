"""Choices that operators make for themselves."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.agents.models import OperatorChoices
from apps.core.database.changes import save_changed, set_changes


def choices_of(widget_id: int, agent_id: int) -> OperatorChoices:
    """The operator's choices, or the defaults without a row: of these `reads` is empty."""
    found = OperatorChoices.objects.for_widget(widget_id).filter(pk=agent_id).first()
    return found or OperatorChoices(widget_id=widget_id, agent_id=agent_id)


@transaction.atomic
def change_choices(*, widget_id: int, agent_id: int, changes: Mapping[str, Any]) -> OperatorChoices:
    """Changes the choices that are named; the others stay."""
    OperatorChoices.objects.bulk_create(
        [OperatorChoices(widget_id=widget_id, agent_id=agent_id)], ignore_conflicts=True
    )
    choices = OperatorChoices.objects.for_widget(widget_id).get_for_update(pk=agent_id)
    save_changed(choices, set_changes(choices, changes))
    return choices

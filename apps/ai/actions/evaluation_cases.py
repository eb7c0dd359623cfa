"""The cases of an owner's test set: made, changed, deleted."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.ai.models import EvaluationCase
from apps.ai.rules.evaluations import MAX_CASES
from apps.core import database


class TooManyCases(Exception):
    """The widget has MAX_CASES cases."""


@transaction.atomic
def create_case(*, widget_id: int, **values: Any) -> EvaluationCase:
    """Makes a case. Raises TooManyCases."""
    database.lock(f"ai_evaluation_cases:{widget_id}")
    if EvaluationCase.objects.for_widget(widget_id).count() >= MAX_CASES:
        raise TooManyCases
    return EvaluationCase.objects.create(widget_id=widget_id, **values)


@transaction.atomic
def change_case(*, widget_id: int, case_id: int, changes: Mapping[str, Any]) -> EvaluationCase:
    """Changes a case; results of earlier runs stay as they were."""
    case: EvaluationCase = EvaluationCase.objects.for_widget(widget_id).get_for_update(pk=case_id)
    for name, value in changes.items():
        setattr(case, name, value)
    if changes:
        case.save(update_fields=[*changes])
    return case


def delete_case(*, widget_id: int, case_id: int) -> None:
    """Deletes a case; its results stay."""
    EvaluationCase.objects.for_widget(widget_id).filter(pk=case_id).delete()

"""Changing a widget's scorecard: each change is a version."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.core import database
from apps.core.errors import INVALID_INPUT
from apps.reviews.errors import SCORECARD_CHANGED
from apps.reviews.models import Scorecard
from apps.reviews.querysets.scorecards import scorecard_of
from apps.reviews.rules.scorecards import criteria_refusal, flags_refusal

MEMBERS = ("criteria", "per_operator", "ai", "flags", "prefill")


@transaction.atomic
def change_scorecard(*, widget_id: int, version: int, changes: Mapping[str, Any]) -> Scorecard:
    """Makes a new version of a widget's scorecard. Reviews keep theirs; members that are not named stay.

    Raises INVALID_INPUT (422), SCORECARD_CHANGED (409) where `version` is not the newest.
    """
    checks = {"criteria": criteria_refusal, "flags": flags_refusal}
    refusals = {name: refusal for name in checks if name in changes and (refusal := checks[name](changes[name]))}
    if refusals:
        raise INVALID_INPUT(errors={name: [refusal] for name, refusal in refusals.items()})
    database.lock(f"reviews.scorecard:{widget_id}")
    before = scorecard_of(widget_id)
    if before.version != version:
        raise SCORECARD_CHANGED()
    values = {name: changes.get(name, getattr(before, name)) for name in MEMBERS}
    return Scorecard.objects.create(widget_id=widget_id, version=version + 1, **values)

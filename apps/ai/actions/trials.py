"""Questions that people ask an assistant in the cabinet (*Try it*): a job, which takes as long as a reply may."""

import json
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from apps.ai.actions.testing import run_test, subject_of
from apps.ai.errors import TEST_RATE_LIMITED, TEST_UNAVAILABLE
from apps.ai.models import Assistant, Trial
from apps.ai.rules.configuration import reply_seconds
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem
from apps.leases import Lease, wake_workers

TRIALS_KEPT = 20
# Another test of the widget is under way.
_BUSY = (TEST_RATE_LIMITED, TEST_UNAVAILABLE)
_AGAIN_S = 2
CRASHED = "crashed"


@transaction.atomic
def ask(*, assistant: Assistant, question: str, locale: str = "", operators: str = "") -> Trial:
    """Queues a question. Raises CREDENTIAL_UNAVAILABLE and AMBIGUOUS_OPERATOR (409) as the detached test does."""
    subject = subject_of(assistant=assistant, operator_id=None)
    trial = Trial.objects.create(
        widget_id=assistant.widget_id,
        assistant=assistant,
        question=question,
        locale=locale,
        operators=operators,
        most_s=reply_seconds(int(one.endpoint.timeout_s) for one in subject.sources),
    )
    trials = Trial.objects.for_widget(assistant.widget_id).filter(assistant=assistant)
    kept = list(trials.order_by("-pk").values_list("pk", flat=True)[:TRIALS_KEPT])
    trials.exclude(pk__in=kept).delete()
    wake_workers()
    return trial


def work(lease: Lease[Trial]) -> None:
    """Asks the question, and keeps the answer, or why there is none."""
    trial = lease.row
    assistant: Assistant = Assistant.objects.for_widget(trial.widget_id).get(pk=trial.assistant_id)
    try:
        result = run_test(
            assistant=assistant,
            outbound=ExternalCall(trial.widget_id),
            question=trial.question,
            locale=trial.locale or None,
            operators=trial.operators or None,
            seconds=trial.most_s,
        )
    except Problem as refused:
        if refused.type in _BUSY:
            lease.later(_AGAIN_S)
            return
        told = {"code": refused.type.code, "reason": refused.members.get("provider_reason")}
        _end(lease, refusal=told)
    else:
        _end(lease, result=json.loads(json.dumps(result, default=str)))


def _end(lease: Lease[Trial], **outcome: Any) -> None:
    with transaction.atomic():
        Trial.objects.for_widget(lease.row.widget_id).filter(pk=lease.row.pk).update(ended_at=Now(), **outcome)
        lease.done()


def given_up(lease: Lease[Trial], reason: str) -> None:
    """The page tells whoever asked."""
    trials = Trial.objects.for_widget(lease.row.widget_id).filter(pk=lease.row.pk)
    trials.update(ended_at=Now(), refusal={"code": CRASHED, "reason": None})

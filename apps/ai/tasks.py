from celery import shared_task
from django.utils.translation import gettext_noop as _

from apps.ai.actions import evaluations, external_upkeep, retention, trials
from apps.ai.actions.replies import job
from apps.ai.models import EvaluationRun, ReplyJob, Trial
from apps.ai.rules.configuration import MAX_TIMEOUT_S, reply_seconds
from apps.egress.loops import WaitingLoop
from apps.leases import Queue

QUEUE = Queue(
    model=ReplyJob,
    title=_("answers of AI"),
    work=job.reply,
    given_up=job.given_up,
    waits=(1, 5),
    # A widget with a slow server holds half of the places at most.
    in_flight=64,
    in_flight_each=32,
    loop=WaitingLoop,
    longest_s=reply_seconds([MAX_TIMEOUT_S]) + 60,
)

EVALUATION_QUEUE = Queue(
    model=EvaluationRun,
    title=_("examinations of an assistant"),
    work=evaluations.work,
    given_up=evaluations.given_up,
    waits=(5, 30),
    in_flight=2,
    in_flight_each=1,
    longest_s=evaluations.LONGEST_S,
)

TRIAL_QUEUE = Queue(
    model=Trial,
    title=_("trials of an assistant"),
    work=trials.work,
    given_up=trials.given_up,
    in_flight=4,
    in_flight_each=1,
    longest_s=reply_seconds([MAX_TIMEOUT_S]) + 60,
)


@shared_task
def evaluate_changes() -> None:
    evaluations.evaluate_changes()


@shared_task
def forget_old_exchanges() -> None:
    retention.forget_old_exchanges()


@shared_task
def show_typing() -> None:
    external_upkeep.show_typing()


@shared_task
def put_external_operators_away() -> None:
    external_upkeep.put_away()

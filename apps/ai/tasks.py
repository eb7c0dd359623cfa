from celery import shared_task

from apps.ai.actions import external_upkeep, retention
from apps.ai.actions.replies import job
from apps.ai.models import ReplyJob
from apps.leases import Queue

QUEUE = Queue(
    model=ReplyJob,
    work=job.reply,
    given_up=job.given_up,
    waits=(1, 5),
    in_flight=16,
    in_flight_each=8,
    longest_s=120,
)


@shared_task
def forget_old_exchanges() -> None:
    retention.forget_old_exchanges()


@shared_task
def show_typing() -> None:
    external_upkeep.show_typing()


@shared_task
def put_external_operators_away() -> None:
    external_upkeep.put_away()

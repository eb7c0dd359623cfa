import os
from functools import cache
from typing import Any

from celery import shared_task
from celery.signals import task_failure, task_success, worker_process_init, worker_process_shutdown, worker_shutdown
from django.utils.translation import gettext_noop as _

from apps.core import mail, plugins, quotas
from apps.core.endpoints import idempotency
from apps.core.files import storage
from apps.core.models import Mail
from apps.core.redis import failed_jobs
from apps.leases import Queue
from apps.leases.runner import Runner

MAIL_QUEUE = Queue(
    model=Mail,
    title=_("mails to people of the house"),
    work=mail.work,
    given_up=mail.given_up,
    waits=(60, 300, 1800, 7200, 21600, 43200),
    in_flight=2,
    fair_by=None,
)


def queues() -> list[Queue[Any]]:
    """The queues that the installed apps declare in their `tasks.py`."""
    return [queue for of_app in plugins.declared("tasks", Queue).values() for queue in of_app]


@cache
def runner() -> Runner:
    """The runner of this process."""
    return Runner(queues())


os.register_at_fork(after_in_child=runner.cache_clear)


@shared_task
def forget_old_idempotency_keys() -> None:
    idempotency.forget_old_keys()


@shared_task
def forget_old_spendings() -> None:
    quotas.forget_old()


@shared_task
def sweep_storage() -> None:
    storage.sweep()


@shared_task(expires=10)
def work_on_queues() -> None:
    """Has the runner of this process look for due rows. Returns at once: the work is done in threads of its own."""
    runner().wake()


@cache
def _tasks_of_jobs() -> frozenset[str]:
    return frozenset(job.task for job in plugins.jobs())


@task_failure.connect
def note_failed_job(sender: Any = None, exception: BaseException | None = None, **_: Any) -> None:
    """The page of the installation's health shows a job that fails each time."""
    if sender is not None and sender.name in _tasks_of_jobs():
        failed_jobs.note_failed(sender.name, type(exception).__name__)


@task_success.connect
def note_job_done(sender: Any = None, **_: Any) -> None:
    if sender is not None and sender.name in _tasks_of_jobs():
        failed_jobs.note_done(sender.name)


@worker_process_init.connect
def start_working(**_: Any) -> None:
    runner().wake()
    worker_process_shutdown.connect(stop_working)  # now, so that it is called last: others end meanwhile


@worker_process_shutdown.connect
def end_working(**_: Any) -> None:
    runner().end()


@worker_shutdown.connect
def stop_working(**_: Any) -> None:
    runner().stop()

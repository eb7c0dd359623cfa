"""The Celery application: workers and beat load their tasks, and beat its schedule, from the installed apps."""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import worker_before_create_process, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("parley", amqp="config.broker:Amqp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add("config.worker:Pulse")


@app.on_after_finalize.connect
def schedule_jobs(sender: Celery, **_: Any) -> None:
    """The periodic jobs of every installed app; the database scheduler stores them when beat starts."""
    import django

    from apps.core import plugins

    django.setup()
    sender.conf.beat_schedule = {job.name: {"task": job.task, "schedule": job.every} for job in plugins.jobs()}


@worker_before_create_process.connect
@worker_process_init.connect
def keep_what_is_loaded(**_: Any) -> None:
    """Freezes the loaded objects for the process's life: the collector need not walk them again and again.

    It would do so in the middle of transactions, which hold locks. First before a child is forked: so it is walked once
    and not by each child, whose copy of the memory that would be.
    """
    gc.collect()
    gc.freeze()

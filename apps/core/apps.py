import sys
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class CoreConfig(plugins.ParleyAppConfig):
    name = "apps.core"
    label = "core"
    plugin = plugins.Plugin(
        jobs=(
            plugins.Job(
                _("forget old idempotency keys"), "apps.core.tasks.forget_old_idempotency_keys", timedelta(hours=1)
            ),
            plugins.Job(_("forget old spendings"), "apps.core.tasks.forget_old_spendings", timedelta(hours=1)),
            plugins.Job(_("sweep the storage"), "apps.core.tasks.sweep_storage", timedelta(hours=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.core import checks  # noqa: F401 - registers itself
        from apps.core.database import base as database
        from apps.core.endpoints import converters  # noqa: F401 - registers itself
        from apps.core.observability import metrics
        from apps.core.redis import wakeups
        from apps.egress import allow_list_problems, outbound_waits
        from apps.leases.project import Project, connect

        outbound_waits.on_refused = metrics.OUTBOUND_WAITS_REFUSED.inc
        connect(
            Project(
                wake_workers=partial(wakeups.after_commit, "apps.core.tasks.work_on_queues"),
                count=lambda queue, outcome: metrics.LEASES.labels(queue, outcome).inc(),
                is_unavailable=database.is_unavailable,
            )
        )
        # Its reader can't be loaded before the settings, which refuse everything else that is malformed.
        if problems := allow_list_problems(settings.EGRESS_ALLOW):
            sys.exit(f"parley: EGRESS_ALLOW: {problems[0]}")

        pre_migrate.connect(database.lift_statement_timeout, sender=self, dispatch_uid="core.lift_timeout")
        post_migrate.connect(database.restore_statement_timeout, sender=self, dispatch_uid="core.restore_timeout")
        if settings.SENTRY_DSN:
            from apps.core.observability import reports

            reports.start()

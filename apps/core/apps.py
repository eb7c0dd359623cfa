from datetime import timedelta

from django.conf import settings
from django.db.backends.signals import connection_created

from apps.core import plugins


class CoreConfig(plugins.ParleyAppConfig):
    name = "apps.core"
    label = "core"
    plugin = plugins.Plugin(
        site_urls="apps.core.urls",
        jobs=(
            plugins.Job(
                "forget old idempotency keys", "apps.core.tasks.forget_old_idempotency_keys", timedelta(hours=1)
            ),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.core import checks, converters, database  # noqa: F401 - they register themselves

        connection_created.connect(database.prepare_connection, dispatch_uid="core.prepare_connection")
        if settings.SENTRY_DSN:
            from apps.core import reports

            reports.start()

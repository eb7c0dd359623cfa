from datetime import timedelta

from django.db.backends.signals import connection_created

from apps.core.plugins import Job, ParleyAppConfig, Plugin


class CoreConfig(ParleyAppConfig):
    name = "apps.core"
    label = "core"
    plugin = Plugin(
        site_urls="apps.core.urls",
        jobs=(Job("forget old idempotency keys", "apps.core.tasks.forget_old_idempotency_keys", timedelta(hours=1)),),
    )

    def ready(self) -> None:
        super().ready()
        from apps.core import checks, database  # noqa: F401 - registers the system checks

        connection_created.connect(database.prepare_connection, dispatch_uid="core.prepare_connection")

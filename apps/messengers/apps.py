from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.messengers.labels import FIELD_WORDS


class MessengersConfig(plugins.ParleyAppConfig):
    name = "apps.messengers"
    label = "messengers"
    verbose_name = gettext_lazy("Channels")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        jobs=(
            plugins.Job(
                _("Register messengers that were left"),
                "apps.messengers.tasks.register_pending_messengers",
                timedelta(minutes=1),
            ),
            plugins.Job(
                _("Suspend ad cabinets without a plan"),
                "apps.messengers.tasks.suspend_uncovered_cabinets",
                timedelta(days=1),
            ),
            plugins.Job(
                _("Ask messengers whether they are still connected"),
                "apps.messengers.tasks.check_messengers",
                timedelta(minutes=5),
            ),
            plugins.Job(
                _("Forget old updates of messengers"), "apps.messengers.tasks.forget_old_updates", timedelta(hours=1)
            ),
        ),
        scopes=(
            plugins.Scope("channels:read", _("Channels"), _("read a custom channel and its status")),
            plugins.Scope("channels:write", _("Channels"), _("deliver inbound messages of a custom channel")),
            plugins.Scope(
                "channels:register",
                _("Channels"),
                _("register a custom channel (installed apps only)"),
                sensitive=True,
            ),
            plugins.Scope("messengers:read", _("Channels"), _("read connected messengers, never their credentials")),
            plugins.Scope(
                "messengers:write",
                _("Channels"),
                _("connect and disconnect messengers: writes credentials"),
                sensitive=True,
            ),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.messengers.models import AdCabinet, Channel, Community, Connection, VendorSettings

        watch(Channel, "widget__account_id")
        # Deletes through a proxy are told of by the proxy.
        for kind in (Connection, Community, AdCabinet):
            watch(kind, "widget__account_id", without=("checked_at", "renewing_until", "unproved_at"))
        watch(VendorSettings, None)

from datetime import timedelta
from typing import Any

from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.webhooks.labels import FIELD_WORDS


class WebhooksConfig(plugins.ParleyAppConfig):
    name = "apps.webhooks"
    label = "webhooks"
    verbose_name = gettext_lazy("Webhooks")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        presets=(plugins.ScopePreset("webhooks_only", _("Webhooks only"), 60),),
        scopes=(
            plugins.Scope(
                "webhooks:read", _("Webhooks"), _("list subscriptions and deliveries"), presets=("webhooks_only",)
            ),
            plugins.Scope(
                "webhooks:write", _("Webhooks"), _("manage subscriptions, redeliver"), presets=("webhooks_only",)
            ),
        ),
        document=plugins.DocumentPart("webhooks", "Parley webhooks"),
        jobs=(
            plugins.Job(_("deliver due webhooks"), "apps.webhooks.tasks.deliver", timedelta(seconds=5)),
            plugins.Job(
                _("forget old webhook deliveries"), "apps.webhooks.tasks.forget_old_deliveries", timedelta(hours=1)
            ),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.webhooks.models import EventSwitch, Subscription

        post_migrate.connect(_make_switches, sender=self, dispatch_uid="webhooks.make_switches")
        watch(Subscription, "widget__account_id", without=("updated_at",))
        watch(EventSwitch, None)


def _make_switches(**_: Any) -> None:
    from apps.webhooks.actions.switches import make_switches

    make_switches()

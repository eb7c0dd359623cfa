from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.routing.labels import FIELD_WORDS


class RoutingConfig(plugins.ParleyAppConfig):
    name = "apps.routing"
    label = "routing"
    verbose_name = gettext_lazy("Routing")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        jobs=(
            plugins.Job(_("measure the queue"), "apps.routing.tasks.measure_queue", timedelta(seconds=15)),
            plugins.Job(_("forget old offers and answer times"), "apps.routing.tasks.forget_old", timedelta(days=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.routing.models import OperatorPlaces, RoutingSettings

        watch(RoutingSettings, "widget__account_id", without=("updated_at",), title=_("routing"))
        watch(OperatorPlaces, "widget__account_id", without=("misses", "last_given_at"), title=_("operator's places"))

from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class CardsConfig(plugins.ParleyAppConfig):
    name = "apps.cards"
    label = "cards"
    verbose_name = gettext_lazy("Cards from your system")
    plugin = plugins.Plugin(
        jobs=(plugins.Job(_("forget old cards"), "apps.cards.tasks.forget_old_cards", timedelta(minutes=5)),),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.cards.models import CardSettings

        watch(CardSettings, "widget__account_id", without=("target", "updated_at"), title=_("cards from your system"))

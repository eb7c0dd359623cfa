from django.utils.translation import gettext_lazy

from apps.core import plugins


class CompatConfig(plugins.ParleyAppConfig):
    name = "apps.compat"
    label = "compat"
    verbose_name = gettext_lazy("Compatibility")
    plugin = plugins.Plugin(
        document=plugins.DocumentPart("compat", "Parley: calls of another platform's bots and channels"),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.compat.models import LegacyBot

        watch(LegacyBot, "widget__account_id")

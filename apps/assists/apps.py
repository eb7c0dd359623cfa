from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class AssistsConfig(plugins.ParleyAppConfig):
    name = "apps.assists"
    label = "assists"
    verbose_name = gettext_lazy("Drafts")
    plugin = plugins.Plugin(
        jobs=(plugins.Job(_("forget old drafts"), "apps.assists.tasks.forget_old", timedelta(hours=1)),)
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.assists.models import OwnTool

        watch(OwnTool, "widget__account_id")

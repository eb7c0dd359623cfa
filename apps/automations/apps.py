from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.automations.labels import FIELD_WORDS
from apps.core import plugins


class AutomationsConfig(plugins.ParleyAppConfig):
    name = "apps.automations"
    label = "automations"
    verbose_name = gettext_lazy("Automation")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        scopes=(
            plugins.Scope("automations:read", _("Chats"), _("read and try automations, and read runs and macros")),
            plugins.Scope(
                "automations:write",
                _("Chats"),
                _("change automations and macros, and undo their runs"),
                sensitive=True,
            ),
        ),
        jobs=(
            plugins.Job(_("forget old runs of automations"), "apps.automations.tasks.forget_old", timedelta(days=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.automations.models import Automation, Macro

        watch(
            Automation,
            "widget__account_id",
            without=("updated_at", "enabled_at", "tried_version", "tried_at", "tried_chats", "tried_runs", "problem"),
            title=_("automation"),
        )
        watch(Macro, "widget__account_id", without=("updated_at",), title=_("macro"))

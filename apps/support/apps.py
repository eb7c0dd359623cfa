from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.support.labels import FIELD_WORDS


class SupportConfig(plugins.ParleyAppConfig):
    name = "apps.support"
    label = "support"
    verbose_name = gettext_lazy("Support")
    plugin = plugins.Plugin(
        for_everybody=(
            "mail.py",
            "templates/support/code_mail",
        ),
        field_words=FIELD_WORDS,
        jobs=(
            plugins.Job(_("forget old signed calls"), "apps.support.tasks.forget_old_calls", timedelta(minutes=5)),
            plugins.Job(_("confirm agents' replies"), "apps.support.tasks.confirm_replies", timedelta(seconds=15)),
            plugins.Job(
                _("open tickets of unanswered chats"), "apps.support.tasks.open_unanswered", timedelta(minutes=1)
            ),
            plugins.Job(_("forget agents' old actions"), "apps.support.tasks.forget_actions", timedelta(days=1)),
        ),
        presets=(plugins.ScopePreset("support_agents", _("Support agents"), 20),),
        scopes=(
            plugins.Scope(
                "support:read",
                _("Support agents"),
                _("read tickets, chats, messages and own audited actions"),
                presets=("support_agents",),
                in_all=False,
            ),
            plugins.Scope(
                "support:reply",
                _("Support agents"),
                _("answer a customer as the configured human operator"),
                sensitive=True,
                presets=("support_agents",),
                in_all=False,
            ),
            plugins.Scope(
                "support:write",
                _("Support agents"),
                _("claim and release chats, close without replying, reopen tickets"),
                presets=("support_agents",),
                in_all=False,
            ),
            plugins.Scope("support:tickets:close", _("Support agents"), _("close tickets, and nothing else")),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.support.models import Binding, SupportSettings
        from apps.support.settings import SETTINGS

        watch(Binding, "widget__account_id")
        labels = SETTINGS.labels
        watch(SupportSettings, "widget__account_id", without=("updated_at",), labels=labels, title=_("support desk"))

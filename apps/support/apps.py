from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins


class SupportConfig(plugins.ParleyAppConfig):
    name = "apps.support"
    label = "support"
    verbose_name = gettext_lazy("Support")
    plugin = plugins.Plugin(
        exported_of_widget="apps.support.export.exported_of_widget",
        unfinished_of_widget="apps.support.export.unfinished_of_widget",
        held_of_contact="apps.support.personal_data.held_of_contact",
        api_urls="apps.support.api.urls",
        chat_marks="apps.support.actions.badges.chat_marks",
        demo="apps.support.demo.seed",
        openapi="apps.support.openapi.openapi",
        taken_messages="apps.support.actions.interception.taken_messages",
        takes_text="apps.support.actions.interception.takes_text",
        visitor_desk="apps.support.actions.codes.visitor_desk",
        served_config="apps.support.actions.codes.served_config",
        jobs=(
            plugins.Job(_("forget old signed calls"), "apps.support.tasks.forget_old_calls", timedelta(minutes=5)),
            plugins.Job(_("confirm agents' replies"), "apps.support.tasks.confirm_replies", timedelta(seconds=15)),
            plugins.Job(
                _("open tickets of unanswered chats"), "apps.support.tasks.open_unanswered", timedelta(minutes=1)
            ),
            plugins.Job(_("forget agents' old actions"), "apps.support.tasks.forget_actions", timedelta(days=1)),
        ),
        scopes=(
            plugins.Scope(
                "support:read", _("Support agents"), _("read tickets, chats, messages and own audited actions")
            ),
            plugins.Scope(
                "support:reply",
                _("Support agents"),
                _("answer a customer as the configured human operator"),
                sensitive=True,
            ),
            plugins.Scope(
                "support:write",
                _("Support agents"),
                _("claim and release chats, close without replying, reopen tickets"),
            ),
            plugins.Scope("support:tickets:close", _("Support agents"), _("close tickets, and nothing else")),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.support.models import Binding, SupportSettings

        watch(Binding, "widget__account_id")
        watch(SupportSettings, "widget__account_id", without=("updated_at",))

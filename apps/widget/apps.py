from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.widget.labels import FIELD_WORDS


class WidgetConfig(plugins.ParleyAppConfig):
    name = "apps.widget"
    label = "widget"
    verbose_name = gettext_lazy("Widget")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        document=plugins.DocumentPart("visitor", "Parley: visitors' calls"),
        jobs=(
            plugins.Job(
                _("ask for missing translations"), "apps.widget.tasks.ask_for_translations", timedelta(minutes=5)
            ),
            plugins.Job(_("forget used proofs"), "apps.widget.tasks.forget_used_proofs", timedelta(hours=1)),
            plugins.Job(_("forget old invitations to chat"), "apps.widget.tasks.forget_offers", timedelta(days=1)),
        ),
        scopes=(
            plugins.Scope("widget:read", _("Widget"), _("read the widget's settings"), presets=("ai_setup",)),
            plugins.Scope(
                "widget:write", _("Widget"), _("update the widget's settings, purge its cache"), presets=("ai_setup",)
            ),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.widget.labels import LABELS
        from apps.widget.models import ChatInvitation, Icon, QuestionSet, WidgetSettings

        watch(
            WidgetSettings,
            "widget__account_id",
            without=("updated_at", "policy_revision"),
            labels=LABELS,
            title=_("widget settings"),
        )
        watch(QuestionSet, "widget__account_id", without=("updated_at",), title=_("questions before a chat"))
        watch(
            ChatInvitation,
            "widget__account_id",
            without=("updated_at", "round_since", "shown_on", "shown_that_day"),
            title=_("invitation to chat"),
        )
        watch(Icon, "widget__account_id", without=("key", "still_key"), title=_("icon"))

from datetime import timedelta

from django.utils.translation import gettext_noop as _

from apps.core import plugins


class WidgetConfig(plugins.ParleyAppConfig):
    name = "apps.widget"
    label = "widget"
    plugin = plugins.Plugin(
        exported_of_widget="apps.widget.export.exported_of_widget",
        unfinished_of_widget="apps.widget.export.unfinished_of_widget",
        held_of_contact="apps.widget.personal_data.held_of_contact",
        api_urls="apps.widget.api.urls",
        site_urls="apps.widget.urls",
        websocket_urls="apps.widget.consumers",
        document=plugins.DocumentPart("visitor", "Parley: visitors' calls"),
        visitor_facts="apps.widget.querysets.visitor_facts",
        widget_language="apps.widget.querysets.settings.LANGUAGES",
        contact_address="apps.widget.querysets.contact_address",
        mail_stops="apps.widget.actions.offline_mail.MAIL_STOPS",
        queues=("apps.widget.actions.translations.QUEUE",),
        jobs=(
            plugins.Job(
                _("ask for missing translations"), "apps.widget.tasks.ask_for_translations", timedelta(minutes=5)
            ),
            plugins.Job(_("mail unseen answers"), "apps.widget.tasks.mail_unseen_answers", timedelta(minutes=1)),
            plugins.Job(_("forget used proofs"), "apps.widget.tasks.forget_used_proofs", timedelta(hours=1)),
        ),
        cabinet_facts="apps.widget.dashboard.facts",
        scopes=(
            plugins.Scope("widget:read", _("Widget"), _("read the widget's settings")),
            plugins.Scope("widget:write", _("Widget"), _("update the widget's settings, purge its cache")),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.widget.models import Icon, WidgetSettings

        watch(WidgetSettings, "widget__account_id", without=("updated_at", "policy_revision"))
        watch(Icon, "widget__account_id", without=("key", "still_key"))

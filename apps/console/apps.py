from datetime import timedelta

from django.utils.translation import gettext_noop as _

from apps.core import plugins


class ConsoleConfig(plugins.ParleyAppConfig):
    name = "apps.console"
    label = "console"
    plugin = plugins.Plugin(
        document=plugins.DocumentPart("console", "Parley: operators' calls"),
        jobs=(plugins.Job(_("tell operators who waits"), "apps.console.tasks.look_who_waits", timedelta(seconds=10)),),
    )

    def ready(self) -> None:
        super().ready()
        from django.contrib.auth.signals import user_logged_out

        from apps.console.views import end_at_sign_out

        user_logged_out.connect(end_at_sign_out)

from apps.core import plugins


class ConsoleConfig(plugins.ParleyAppConfig):
    name = "apps.console"
    label = "console"
    plugin = plugins.Plugin(
        site_urls="apps.console.urls", websocket_urls="apps.console.consumers", demo="apps.console.demo.seed"
    )

    def ready(self) -> None:
        super().ready()
        from django.contrib.auth.signals import user_logged_out

        from apps.console.views import end_at_sign_out

        user_logged_out.connect(end_at_sign_out)

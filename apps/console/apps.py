from apps.core import plugins


class ConsoleConfig(plugins.ParleyAppConfig):
    name = "apps.console"
    label = "console"
    plugin = plugins.Plugin(
        site_urls="apps.console.urls", websocket_urls="apps.console.consumers", demo="apps.console.demo.seed"
    )

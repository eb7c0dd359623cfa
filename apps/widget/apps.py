from apps.core import plugins


class WidgetConfig(plugins.ParleyAppConfig):
    name = "apps.widget"
    label = "widget"
    plugin = plugins.Plugin(
        site_urls="apps.widget.urls",
        websocket_urls="apps.widget.consumers",
        scopes=(
            plugins.Scope("widget:read", "Widget", "read the widget's settings"),
            plugins.Scope("widget:write", "Widget", "update the widget's settings, purge its cache"),
        ),
    )

from apps.core.plugins import ParleyAppConfig, Plugin, Scope


class WidgetConfig(ParleyAppConfig):
    name = "apps.widget"
    label = "widget"
    plugin = Plugin(
        scopes=(
            Scope("widget:read", "Widget", "read the widget's settings"),
            Scope("widget:write", "Widget", "update the widget's settings, purge its cache"),
        ),
    )

from django.utils.translation import gettext_noop as _

from apps.core import plugins


class WidgetConfig(plugins.ParleyAppConfig):
    name = "apps.widget"
    label = "widget"
    plugin = plugins.Plugin(
        site_urls="apps.widget.urls",
        websocket_urls="apps.widget.consumers",
        visitor_facts="apps.widget.querysets.visitor_facts",
        cabinet_facts="apps.widget.cards.facts",
        scopes=(
            plugins.Scope("widget:read", _("Widget"), _("read the widget's settings")),
            plugins.Scope("widget:write", _("Widget"), _("update the widget's settings, purge its cache")),
        ),
    )

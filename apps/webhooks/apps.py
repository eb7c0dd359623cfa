from apps.core import plugins


class WebhooksConfig(plugins.ParleyAppConfig):
    name = "apps.webhooks"
    label = "webhooks"
    plugin = plugins.Plugin(
        scopes=(
            plugins.Scope("webhooks:read", "Webhooks", "list subscriptions and deliveries"),
            plugins.Scope("webhooks:write", "Webhooks", "manage subscriptions, redeliver"),
        ),
    )

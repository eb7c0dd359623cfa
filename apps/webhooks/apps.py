from apps.core.plugins import ParleyAppConfig, Plugin, Scope


class WebhooksConfig(ParleyAppConfig):
    name = "apps.webhooks"
    label = "webhooks"
    plugin = Plugin(
        scopes=(
            Scope("webhooks:read", "Webhooks", "list subscriptions and deliveries"),
            Scope("webhooks:write", "Webhooks", "manage subscriptions, redeliver"),
        ),
    )

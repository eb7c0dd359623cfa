from apps.core import plugins


class BillingConfig(plugins.ParleyAppConfig):
    name = "apps.billing"
    label = "billing"
    plugin = plugins.Plugin()

from apps.core import plugins


class DemoConfig(plugins.ParleyAppConfig):
    name = "apps.demo"
    label = "demo"

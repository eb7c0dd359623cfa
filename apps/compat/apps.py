from django.utils.translation import gettext_lazy

from apps.core import plugins


class CompatConfig(plugins.ParleyAppConfig):
    name = "apps.compat"
    label = "compat"
    verbose_name = gettext_lazy("Compatibility")
    plugin = plugins.Plugin(site_urls="apps.compat.urls")

from django.utils.translation import gettext_lazy

from apps.core import plugins


class LearningConfig(plugins.ParleyAppConfig):
    name = "apps.learning"
    label = "learning"
    verbose_name = gettext_lazy("Learning")
    plugin = plugins.Plugin(api_urls="apps.learning.api.urls")

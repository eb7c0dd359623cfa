from django.utils.translation import gettext_lazy

from apps.core import plugins


class AiConfig(plugins.ParleyAppConfig):
    name = "apps.ai"
    label = "ai"
    verbose_name = gettext_lazy("AI")
    plugin = plugins.Plugin()

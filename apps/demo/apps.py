from datetime import timedelta

from django.utils.translation import gettext_noop as _

from apps.core import plugins


class DemoConfig(plugins.ParleyAppConfig):
    name = "apps.demo"
    label = "demo"
    plugin = plugins.Plugin(
        jobs=(plugins.Job(_("keep the trial's inbox open"), "apps.demo.tasks.keep_inbox_open", timedelta(minutes=1)),)
    )

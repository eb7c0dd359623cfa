from apps.core import plugins


class CabinetConfig(plugins.ParleyAppConfig):
    name = "apps.cabinet"
    label = "cabinet"
    plugin = plugins.Plugin(for_everybody=("invitation_forms.py",))

from apps.accounts.scopes import OWN, TO_COME
from apps.core.plugins import ParleyAppConfig, Plugin


class AccountsConfig(ParleyAppConfig):
    name = "apps.accounts"
    label = "accounts"
    plugin = Plugin(scopes=OWN + TO_COME, demo="apps.accounts.demo.seed")

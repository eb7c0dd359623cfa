"""One folder a messenger: what it can, how it is spoken to and how it is shown (CONTRIBUTING, "A twelfth messenger").

A folder here with a module `adapter` is a messenger; nothing else lists them.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from apps.messengers.adapters.adapter import Adapter
from apps.messengers.rules.providers import CUSTOM, cabinet_of

_FOUND: list[Adapter] = [
    import_module(f"{__name__}.{each.name}.adapter").ADAPTER for each in iter_modules(__path__) if each.ispkg
]
ADAPTERS: Mapping[str, Adapter] = {one.code: one for one in sorted(_FOUND, key=lambda one: one.about.listed)}
# The codes of all that can be connected.
CONNECTED = tuple(ADAPTERS)
# The API's list: ad cabinets are a resource of their own; custom channels have no adapter, and stand last.
PROVIDERS = (*(code for code, one in ADAPTERS.items() if one.about.page != "adcabinet"), CUSTOM)


def is_writable(provider: str) -> bool:
    """Whether a provider is connected by its credential alone."""
    return provider in ADAPTERS and bool(ADAPTERS[provider].fields)


def is_messenger(channel: str) -> bool:
    """Whether what operators write in a chat of that channel goes to a provider."""
    return channel in ADAPTERS or cabinet_of(channel) is not None

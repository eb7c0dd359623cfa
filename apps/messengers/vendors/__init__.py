"""All vendors of messengers on one loopback port, each below its code (`/tg`, `/vk`, …): small, but with their rules.

`manage.py play_vendors` runs it for trying things out, the tests tell it what people write and how to misbehave.
"""

from apps.messengers.vendors.server import PlayedCall, PlayedFault, called_back
from apps.messengers.vendors.spoken import Vendors

__all__ = ["PlayedCall", "PlayedFault", "Vendors", "called_back"]

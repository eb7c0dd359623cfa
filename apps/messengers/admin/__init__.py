"""The cabinet's pages of messengers, VK's communities, ad cabinets, custom channels, and vendors' settings."""

from apps.messengers.admin.cabinets import AdCabinetAdmin
from apps.messengers.admin.channels import ChannelAdmin
from apps.messengers.admin.connections import CommunityAdmin, ConnectionAdmin
from apps.messengers.admin.vendors import VendorSettingsAdmin

__all__ = ["AdCabinetAdmin", "ChannelAdmin", "CommunityAdmin", "ConnectionAdmin", "VendorSettingsAdmin"]

"""The only writers of custom channels, and of who writes by them."""

from apps.messengers.actions.channel_inbound import receive_message
from apps.messengers.actions.channels import delete_channel, register_channel, replace_secret, set_channel_active

__all__ = ["delete_channel", "receive_message", "register_channel", "replace_secret", "set_channel_active"]

"""The only writers of custom channels, and of who writes by them."""

from apps.messengers.actions.channels import delete_channel, register_channel, replace_secret, set_channel_active
from apps.messengers.actions.inbound import receive_message

__all__ = ["delete_channel", "receive_message", "register_channel", "replace_secret", "set_channel_active"]

"""The cabinet's pages of contacts, chats and ratings, to be read. Lists are not counted: they may be very long."""

from apps.chats.admin import blocks, console_settings, retention  # noqa: F401 - registers their pages
from apps.chats.admin.chats import ChatAdmin, WaitsFilter
from apps.chats.admin.contacts import ContactAdmin

__all__ = ["ChatAdmin", "ContactAdmin", "WaitsFilter"]

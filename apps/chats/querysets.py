"""Named reads of contacts, chats and messages; each starts from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    pass


class ContactQuerySet(models.QuerySet["Contact"]):
    def of(self, widget_id: int) -> ContactQuerySet:
        return self.filter(widget_id=widget_id)


class ChatQuerySet(models.QuerySet["Chat"]):
    def of(self, widget_id: int) -> ChatQuerySet:
        return self.filter(widget_id=widget_id)


class MessageQuerySet(models.QuerySet["Message"]):
    def of(self, widget_id: int) -> MessageQuerySet:
        return self.filter(widget_id=widget_id)

    def for_visitor(self) -> MessageQuerySet:
        """What the visitor may see: no notes, no operator-only messages."""
        return self.filter(is_internal=False)

"""The querysets of the models of chats."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Avg, Count, Exists, F, Func, OuterRef, Q, Subquery

from apps.chats.querysets.conditions import CONDITIONS
from apps.chats.querysets.counted_messages import COUNTED
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules.folding import alike
from apps.core.database.tenants import TenantQuerySet
from apps.core.parsing.periods import Window

if TYPE_CHECKING:
    from apps.chats.models import (  # noqa: F401 - named in the bases below
        Chat,
        ChatActivity,
        Contact,
        ContactTag,
        Message,
        Rating,
        RatingRequest,
        Tag,
        Transfer,
    )


def counts_by(name: str, rows: models.QuerySet[Any], agent_ids: Collection[int]) -> dict[int, int]:
    """How many of the rows name each of these operators in that column; those that none names are left out."""
    return dict(rows.filter(**{f"{name}__in": agent_ids}).values_list(name).annotate(Count("pk")))


class ContactQuerySet(TenantQuerySet["Contact"]):
    def for_api(self) -> ContactQuerySet:
        """With the names of their tags (`tag_names`), sorted by code point, and who is the same person."""
        from apps.chats.models import ContactTag

        names = (
            ContactTag.objects.unscoped("each contact's own rows")
            .filter(contact=OuterRef("pk"))
            .order_by("tag__name")
            .values("tag__name")
        )
        from apps.chats.models import ContactJoin

        joins = ContactJoin.objects.unscoped("each contact's own rows")
        merged = joins.filter(first=OuterRef("pk")).order_by("contact_id").values("contact__guid")
        into = joins.filter(contact=OuterRef("pk")).values("first__guid")
        return self.annotate(tag_names=ArraySubquery(names), merged=ArraySubquery(merged), merged_into=Subquery(into))


class ContactTagQuerySet(TenantQuerySet["ContactTag"]):
    widget_path = "contact__widget_id"


class TagQuerySet(models.QuerySet["Tag"]):
    def in_use(self, widget_id: int) -> TagQuerySet:
        """The tags that are on a contact, across the account that owns a widget, sorted. Index: chats_tag_once."""
        from apps.chats.models import ContactTag

        contact_tags = ContactTag.objects.unscoped("each of the account's tags").filter(tag=OuterRef("pk"))
        return self.filter(Exists(contact_tags), account__widgets=widget_id).order_by("name")

    def by_spelling(self, account_id: int, names: Collection[str]) -> dict[str, Tag]:
        """The account's tags that look like one of the names, by `folding.alike`. Index: chats_tag_alike."""
        spelling = Func(F("name"), function="chats_alike", output_field=models.TextField())
        asked = [alike(name) for name in names]
        tags = self.filter(account_id=account_id).alias(spelling=spelling).filter(spelling__in=asked)
        return {alike(tag.name): tag for tag in tags.order_by("-id")}


class ChatQuerySet(TenantQuerySet["Chat"]):
    def opened_in(self, window: Window) -> ChatQuerySet:
        """The chats created in the window. Index: chats_chat_counted."""
        return self.filter(CONDITIONS["created_at__gte"].q(window.start) & CONDITIONS["created_at__lt"].q(window.end))

    def unanswered(self, now: datetime) -> ChatQuerySet:
        """The chats whose visitors wait for an answer, with since when (`waits_since`)."""
        return self.annotate(waits_since=waits_since(now)).filter(CONDITIONS["waits"].q(now))

    def by_owner(self, agent_ids: Collection[int]) -> Iterator[tuple[int, int, int, timedelta | None]]:
        """For each of these operators who owns chats: the count, the count without an answer, the mean time to an
        answer.
        """
        missed, waited = Count("pk", filter=Q(handling="missed")), Avg(F("accepted_at") - F("created_at"))
        owned = self.filter(agent_id__in=agent_ids).values_list("agent_id")
        return owned.annotate(Count("pk"), missed=missed, waited=waited).iterator()


class MessageQuerySet(TenantQuerySet["Message"]):
    def counted_in(self, window: Window) -> MessageQuerySet:
        """The messages written in the window that statistics count. Index: chats_message_counted."""
        return self.filter(COUNTED, created_at__gte=window.start, created_at__lt=window.end)


class ChatActivityQuerySet(TenantQuerySet["ChatActivity"]):
    """The steps of chats: events between messages."""


class RatingQuerySet(TenantQuerySet["Rating"]):
    def given_in(self, window: Window) -> RatingQuerySet:
        """The ratings given or replaced in the window. Index: chats_rating_counted."""
        return self.filter(rated_at__gte=window.start, rated_at__lt=window.end)

    def by_agent_and_value(self, agent_ids: Collection[int]) -> list[tuple[int, int, int]]:
        """How many there are of each operator and value."""
        return list(self.filter(agent_id__in=agent_ids).values_list("agent_id", "value").annotate(Count("pk")))

    def newest_first(self) -> RatingQuerySet:
        """The one that was given last first."""
        return self.order_by("-rated_at", "-id")


class RatingRequestQuerySet(TenantQuerySet["RatingRequest"]):
    """Requests for ratings."""


class TransferQuerySet(TenantQuerySet["Transfer"]):
    def made_in(self, window: Window) -> TransferQuerySet:
        """The transfers of the window. Index: chats_transfer_counted."""
        return self.filter(created_at__gte=window.start, created_at__lt=window.end)

"""Made-up histories of chats, and what may happen to them afterwards."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from apps.accounts.models import Widget
from apps.chats.actions.erasure import erase_contact
from apps.chats.models import Chat, ChatActivity, Contact, ContactJoin, Message, Rating, RatingRequest
from tests.factories import AgentFactory, AiAgentFactory, ChatFactory, ContactFactory, DepartmentFactory, MessageFactory

BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
GAPS = [
    timedelta(seconds=50),
    HOUR,
    5 * HOUR,
    23 * HOUR,
    24 * HOUR,
    25 * HOUR,
    6 * 24 * HOUR,
    29 * 24 * HOUR,
    31 * 24 * HOUR,
]
OFTEN = [8, 8, 8, 2, 1, 2, 2, 1, 1]
TEXTS = ["Where is it", "Спасибо!", "ok", "👍", "Is it red?", "Hello", "thanks a lot"]
ANSWERS = ["It is on its way.", "Anything else?", "Yes", "Done."]


class MadeUp:
    """A widget's chats, made of a seed: each change is one that may happen to them."""

    def __init__(self, widget: Widget, seed: int) -> None:
        self.widget, self.dice = widget, random.Random(seed)
        self.agents = [
            (AgentFactory.create(widget=widget), "agent"),
            (AgentFactory.create(widget=widget), "agent"),
            (AiAgentFactory.create(widget=widget), "ai"),
        ]
        self.departments = [DepartmentFactory.create(widget=widget) for _ in range(2)]
        for _ in range(4):
            contact = ContactFactory.create(widget=widget)
            for channel in self.dice.sample(["widget", "tg", "vk"], self.dice.randint(1, 2)):
                self.talk(ChatFactory.create(contact=contact, channel=channel, created_at=BEGIN), 12)

    def talk(self, chat: Chat, length: int) -> None:
        """Goes on with a chat: words of both sides, steps, ratings."""
        newest = Message.objects.filter(chat=chat).order_by("-pk").first()
        at = newest.created_at if newest else BEGIN + self.dice.randint(0, 40) * 24 * HOUR
        for _ in range(length):
            at += self.dice.choices(GAPS, OFTEN)[0] + timedelta(milliseconds=self.dice.randint(0, 999))
            deeds = [self.ask, self.answer, self.step, self.rate, self.ask_for_rating, self.beside]
            self.dice.choices(deeds, [9, 8, 5, 1, 1, 1])[0](chat, at)

    def ask(self, chat: Chat, at: datetime) -> None:
        self.say(
            chat,
            at,
            "client",
            self.dice.choice(TEXTS),
            language=self.dice.choice([None, "ru", "en"]),
            page="shop.example/",
        )

    def answer(self, chat: Chat, at: datetime) -> None:
        agent, kind = self.dice.choice(self.agents)
        message = self.say(
            chat, at, kind, self.dice.choice(ANSWERS), agent=agent, assistant_id=7 if kind == "ai" else None
        )
        if kind == "ai" and self.dice.random() < 0.3:
            self.do(chat, at + timedelta(seconds=self.dice.choice([0, 60, 61])), "waits", comment="trigger")
        elif self.dice.random() < 0.1:
            Message.objects.filter(pk=message.pk).update(sender_kind="external_operator", details={"by_person": True})

    def step(self, chat: Chat, at: datetime) -> None:
        kind = self.dice.choice(["closed", "closed", "waits", "dealt_with", "transferred", "accepted"])
        agent = self.dice.choice([None, self.agents[0][0]])
        comment = self.dice.choice(["human_request", "low_rating"]) if kind == "waits" else ""
        department = self.dice.choice(self.departments) if kind == "transferred" else None
        self.do(chat, at, kind, comment=comment, agent=agent, department=department)

    def rate(self, chat: Chat, at: datetime) -> None:
        newest = self.newest(chat)
        Rating.objects.create(
            widget=self.widget, chat=chat, value=self.dice.randint(1, 5), after_message_id=newest or 1, rated_at=at
        )

    def ask_for_rating(self, chat: Chat, at: datetime) -> None:
        RatingRequest.objects.create(
            widget=self.widget, chat=chat, cause="api", channel=chat.channel, after_message_id=self.newest(chat), at=at
        )

    def beside(self, chat: Chat, at: datetime) -> None:
        kind = self.dice.choice(["system", "agent"])
        self.say(chat, at, kind, "ok", is_internal=kind == "agent", origin=self.dice.choice([None, "invitation"]))

    def say(self, chat: Chat, at: datetime, kind: str, body: str, **more: Any) -> Message:
        return MessageFactory.create(chat=chat, sender_kind=kind, body=body, created_at=at, **more)  # type: ignore[no-any-return]

    def do(self, chat: Chat, at: datetime, kind: str, **more: Any) -> None:
        newest = self.newest(chat)
        ChatActivity.objects.create(widget=self.widget, chat=chat, kind=kind, at=at, after_message_id=newest, **more)

    def newest(self, chat: Chat) -> int:
        return Message.objects.filter(chat=chat).order_by("-pk").values_list("pk", flat=True).first() or 0

    def change(self) -> str:
        """One thing that may happen to what is stored; its name."""
        changes: list[Callable[[], None]] = [
            *(self.go_on, self.go_on, self.begin, self.late, self.delete_message, self.mark_deleted, self.edit),
            *(self.hide, self.spam, self.colleagues, self.move_to_department, self.delete_step, self.delete_rating),
            *(self.join, self.join, self.undo_join, self.erase, self.delete_chat, self.change_channel, self.rerate),
            *(self.no_agent, self.delete_department),
        ]
        change = self.dice.choice(changes)
        change()
        return change.__name__

    def one(self, rows: Any) -> Any:
        found = list(rows.filter(widget=self.widget).order_by("pk"))
        return self.dice.choice(found) if found else None

    def go_on(self) -> None:
        if chat := self.one(Chat.objects):
            self.talk(chat, self.dice.randint(1, 4))

    def begin(self) -> None:
        contact = ContactFactory.create(widget=self.widget)
        self.talk(ChatFactory.create(contact=contact, channel="widget"), 6)

    def late(self) -> None:
        """A message of long ago is stored now, as an import or another connection does."""
        if chat := self.one(Chat.objects):
            self.ask(chat, BEGIN + self.dice.randint(0, 60) * 24 * HOUR)

    def delete_message(self) -> None:
        if message := self.one(Message.objects):
            Message.objects.filter(pk=message.pk).delete()

    def mark_deleted(self) -> None:
        if message := self.one(Message.objects):
            details = {"deleted_at": "2026-03-01T00:00:00.000000Z"}
            Message.objects.filter(pk=message.pk).update(details=details)

    def edit(self) -> None:
        if message := self.one(Message.objects):
            Message.objects.filter(pk=message.pk).update(body=self.dice.choice(TEXTS + ANSWERS))

    def hide(self) -> None:
        if message := self.one(Message.objects):
            Message.objects.filter(pk=message.pk).update(is_internal=not message.is_internal)

    def spam(self) -> None:
        if chat := self.one(Chat.objects):
            Chat.objects.filter(pk=chat.pk).update(status="active" if chat.status == "spam" else "spam")

    def colleagues(self) -> None:
        if chat := self.one(Chat.objects):
            Chat.objects.filter(pk=chat.pk).update(internal=not chat.internal)

    def move_to_department(self) -> None:
        if chat := self.one(Chat.objects):
            Chat.objects.filter(pk=chat.pk).update(department=self.dice.choice([None, *self.departments]))

    def delete_step(self) -> None:
        if step := self.one(ChatActivity.objects):
            ChatActivity.objects.filter(pk=step.pk).delete()

    def delete_rating(self) -> None:
        for rows in (Rating.objects, RatingRequest.objects):
            if row := self.one(rows):
                row.delete()

    def rerate(self) -> None:
        if rating := self.one(Rating.objects):
            Rating.objects.filter(pk=rating.pk).update(value=6 - rating.value, rated_at=BEGIN + 50 * 24 * HOUR)

    def join(self) -> None:
        joined = set(ContactJoin.objects.values_list("contact_id", flat=True))
        firsts = set(ContactJoin.objects.values_list("first_id", flat=True))
        contacts = [one for one in Contact.objects.filter(widget=self.widget).order_by("pk") if one.pk not in joined]
        others = [one for one in contacts if one.pk not in firsts]
        if others and len(contacts) > 1:
            other = self.dice.choice(others)
            first = self.dice.choice([one for one in contacts if one != other])
            ContactJoin.objects.create(widget=self.widget, contact=other, first=first)

    def undo_join(self) -> None:
        if join := self.one(ContactJoin.objects):
            join.delete()

    def erase(self) -> None:
        if self.dice.random() < 0.4 and (contact := self.one(Contact.objects)):
            erase_contact(widget_id=self.widget.pk, guid=contact.guid)

    def delete_chat(self) -> None:
        if self.dice.random() < 0.4 and (chat := self.one(Chat.objects)):
            chat.delete()

    def change_channel(self) -> None:
        if chat := self.one(Chat.objects):
            Chat.objects.filter(pk=chat.pk).update(channel=f"c{uuid4().hex[:8]}")

    def no_agent(self) -> None:
        agent = self.agents[1][0]
        Message.objects.filter(agent=agent).update(agent=None)

    def delete_department(self) -> None:
        Chat.objects.filter(department=self.departments[1]).update(department=None)

"""The inbox of a trial: open chats of the first widget in seven languages, whose times move on while it runs.

`make run` alone makes them. A chat that has been quiet for seven minutes is closed, so beat moves those that nobody has
touched; one that a person has answered, closed, snoozed or called spam is theirs from then on.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Message
from apps.chats.rules import Handling, Status
from apps.chats.rules.states import IDLE_AFTER
from apps.demo.data.chats import DemoChat, DemoMessage, seed_chat
from apps.demo.document import Demo, stable_guid

EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Guest:
    """A visitor's chat; `ago` is how many seconds before now the last message was. With `operator`, it is theirs."""

    name: str
    language: str
    ago: int
    lines: tuple[str, ...]
    operator: str | None = None
    answer: str = ""


VISITORS = (
    Guest("Мария Орлова", "ru", 20, ("Здравствуйте! Есть ли у вас пуэр 2012 года?", "Возьму две лепёшки.")),
    Guest("Oliver Grant", "en", 55, ("Hi! My parcel shows “delivered”, but it is not here.", "The order is 20417.")),
    Guest("Lena Vogt", "de", 80, ("Guten Tag, welcher Oolong ist weniger blumig?",)),
    Guest("Lucía Ferrer", "es", 115, ("¿Hacen envíos a Canarias?", "¿Y cuánto tarda?")),
    Guest("Νίκος Αλεξίου", "el", 140, ("Καλησπέρα, έχετε τσάι χωρίς καφεΐνη;",)),
    Guest("سلمى حداد", "ar", 170, ("مرحبًا، هل يمكن تغليف الشاي كهدية؟",)),
    Guest("王丽", "zh", 200, ("你好，请问铁观音怎么冲泡？",)),
    Guest("Сергей Лапин", "ru", 225, ("Заменить сенчу на улун можно?",), "Alice", "Да, заменила. Доплата 240 ₽."),
    Guest("Emma Clarke", "en", 250, ("A gift box under 30 pounds?",), "Борис", "We do: Morning Set, 27 pounds."),
    Guest("Jonas Weber", "de", 270, ("Kann ich die Lieferadresse noch ändern?",), "Alice", "Ja, bis heute 18 Uhr."),
)  # fmt: skip


def _plan(visitor: Guest) -> DemoChat:
    lines = tuple(DemoMessage("client", line) for line in visitor.lines)
    answered: dict[str, Any] = {}
    if visitor.operator:
        lines += (DemoMessage(visitor.operator, visitor.answer),)
        answered = {
            "status": Status.READY,
            "handling": Handling.HUMAN,
            "accepted_by": visitor.operator,
            "handled_by": visitor.operator,
        }
    return DemoChat(
        f"inbox {visitor.name}",
        visitor.name,
        messages=lines,
        ago=timedelta(seconds=visitor.ago),
        attributes={"widget_language": visitor.language},
        **{"status": Status.ACTIVE, **answered},
    )


def _guid(visitor: Guest) -> str:
    return stable_guid(f"contact shop inbox {visitor.name}")


def begin_inbox(now: datetime) -> None:
    """Adds the chats that are not there yet, and moves the others to now. Without the demo's first widget: nothing."""
    widget = Widget.objects.filter(guid=stable_guid("widget shop")).first()
    if widget is None:
        return
    demo = Demo(now=now, document={})
    for agent in Agent.objects.for_widget(widget.pk):
        demo.keep(f"shop {agent.name}", agent)
    with transaction.atomic():
        for visitor in VISITORS:
            seed_chat(demo, "shop", widget, _plan(visitor))
    move_inbox(now)


@transaction.atomic
def move_inbox(now: datetime) -> int:
    """Moves the chats that nobody has touched to `now`, the closed ones among them open again; how many they are.

    A sweep closes a chat that was quiet for seven minutes; a person who closes one does it earlier, as it is moved each
    minute.
    """
    ago = {_guid(visitor): timedelta(seconds=visitor.ago) for visitor in VISITORS}
    swept = Q(status=Status.EXPIRED, expired_at__gte=F("last_message_at") + IDLE_AFTER)
    chats = Chat.objects.unscoped("demo data, by what it made").filter(
        Q(status__in=(Status.ACTIVE, Status.READY)) | swept, contact__guid__in=ago, snoozed_at=None
    )
    moved = 0
    for chat in chats.select_related("contact").select_for_update(of=("self",), skip_locked=True):
        visitor = next(one for one in VISITORS if _guid(one) == chat.contact.guid)
        if chat.last_message_at is None or chat.messages.count() != len(visitor.lines) + bool(visitor.answer):
            continue
        _move(chat, now - ago[chat.contact.guid] - chat.last_message_at)
        moved += 1
    return moved


def _move(chat: Chat, by: timedelta) -> None:
    times = ("created_at", "last_message_at", "accepted_at", "handled_at", "waiting_since")
    changes: dict[str, Any] = {name: F(name) + by for name in times}
    if chat.status == Status.EXPIRED:
        changes |= {"status": Status.ACTIVE, "expired_at": None, "left_unanswered_at": None}
    Chat.objects.unscoped("demo data, by what it made").filter(pk=chat.pk).update(**changes, version=F("version") + 1)
    Message.objects.for_widget(chat.widget_id).filter(chat_id=chat.pk).update(created_at=F("created_at") + by)

"""The demo's contacts and conversations: every state, every way of handling, every type of message.

Rows are written as they would be found some time later, with times before the run; so nothing is published.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.models import Chat, Contact, ContactTag, File, Message, Tag
from apps.chats.rules import Handling, MessageType, SenderKind, Status
from apps.chats.rules.states import IDLE_AFTER
from apps.chats.serializers.files import FileReferenceSerializer
from apps.core.endpoints.uploads import ReceivedFile
from apps.demo.document import Demo, stable_guid

PAUSE = timedelta(seconds=40)


class DemoFile(NamedTuple):
    """A file to be sent: its name, and what makes its bytes."""

    name: str
    content: Callable[[], bytes]


def _picture() -> bytes:
    """A PNG of a cup of tea, more or less."""
    picture = Image.new("RGB", (320, 200), "#f3ead8")
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((90, 70, 210, 160), 18, fill="#7a9e7e")
    draw.ellipse((195, 85, 245, 135), outline="#7a9e7e", width=10)
    draw.ellipse((104, 76, 196, 96), fill="#a6602c")
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def _prices() -> bytes:
    return "Чай;Цена\nСенча, 100 г;650 ₽\nУлун, 100 г;890 ₽\nПодарочный набор;1 900 ₽\n".encode()


class DemoMessage(NamedTuple):
    """A message: `who` is "client", "system" or an operator's name."""

    who: str
    body: str
    type: MessageType = MessageType.TEXT
    details: dict[str, Any] | None = None
    note: bool = False
    file: DemoFile | None = None


@dataclass(frozen=True, slots=True)
class DemoChat:
    """A contact and their chat. `ago` is how long before the run its last message was."""

    key: str
    contact: str
    email: str = ""
    phone: str = ""
    status: Status = Status.EXPIRED
    ago: timedelta = timedelta(days=1)
    messages: tuple[DemoMessage, ...] = ()
    handling: Handling = Handling.MISSED
    accepted_by: str | None = None
    handled_by: str | None = None
    department: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()


_KEYBOARD = {
    "keyboard": {
        "buttons": [
            {"label": "Spring catalogue", "url": "https://shop.example/spring", "style": "primary"},
            {"label": "Delivery", "url": "https://shop.example/delivery", "style": "secondary"},
        ]
    }
}

SHOP = (
    DemoChat(
        "active",
        "Иван Петров",
        "ivan@mail.example",
        "+7 901 123-45-67",
        Status.ACTIVE,
        timedelta(minutes=1),
        (
            DemoMessage("client", "Здравствуйте! Сколько стоит подарочный набор чая?"),
            DemoMessage("Alice", "Добрый день, Иван! От 1 900 ₽, доставим сегодня."),
            DemoMessage("Alice", "Постоянный покупатель, скидка 10 %", note=True),
            DemoMessage("client", "Отлично. Куда за ним приехать?"),
            DemoMessage("Alice", "Мы здесь", MessageType.LOCATION, {"coords": {"lat": 55.7558, "lng": 37.6173}}),
            DemoMessage("client", "", MessageType.STICKER, {"sticker": {"id": "thanks"}}),
            DemoMessage("client", "Вот такой?", MessageType.IMAGE, file=DemoFile("набор.png", _picture)),
            DemoMessage("Alice", "Да. И весь прайс-лист:", MessageType.FILE, file=DemoFile("prices.csv", _prices)),
            DemoMessage("Alice", "And our spring teas:", MessageType.KEYBOARD, _KEYBOARD),
        ),
        Handling.HUMAN,
        "Alice",
        "Alice",
        "Sales",
        {"city": "Москва", "orders": 3, "loyal": True},
        ("vip", "постоянный клиент"),
    ),
    DemoChat(
        "waiting",
        "Jane O'Neill",
        "jane@mail.example",
        status=Status.ACTIVE,
        ago=timedelta(minutes=2),
        messages=(DemoMessage("client", "Hi, is anybody there?"), DemoMessage("client", "Do you deliver on Sundays?")),
        department="Sales",
        tags=("wholesale",),
    ),
    DemoChat(
        "ready",
        "Ольга Сидорова",
        "sidorova@mail.example",
        status=Status.READY,
        ago=timedelta(minutes=4),
        messages=(
            DemoMessage("client", "Можно изменить адрес доставки?"),
            DemoMessage("Борис", "Да, пришлите новый адрес."),
        ),
        handling=Handling.HUMAN,
        accepted_by="Борис",
        handled_by="Борис",
        department="Поддержка",
    ),
    DemoChat(
        "expired",
        "Max Mustermann",
        "max@mail.example",
        "+49 30 901820",
        messages=(
            DemoMessage("client", "Do you sell gift cards?"),
            DemoMessage("Olga", "We do: 1,000 to 20,000 ₽."),
            DemoMessage("system", "The chat is closed"),
        ),
        handling=Handling.HUMAN,
        accepted_by="Olga",
        handled_by="Olga",
    ),
    DemoChat(
        "missed", "Мария", ago=timedelta(days=3), messages=(DemoMessage("client", "Перезвоните мне, пожалуйста"),)
    ),
    DemoChat(
        "ai",
        "Анна Ким",
        "anna@mail.example",
        ago=timedelta(hours=5),
        messages=(
            DemoMessage("client", "Как заваривать улун?"),
            DemoMessage("Ada", "Водой 90 °C, по 20 секунд: 5 г на чашку хватит на семь заварок."),
        ),
        handling=Handling.AI,
        accepted_by="Ada",
        handled_by="Ada",
    ),
    DemoChat(
        "ai_to_human",
        "Peter Novák",
        "peter@mail.example",
        ago=timedelta(hours=8),
        messages=(
            DemoMessage("client", "I want a refund"),
            DemoMessage("Ada", "I am handing you over to a colleague."),
            DemoMessage("Chiara", "Hello Peter, what is your order number?"),
        ),
        handling=Handling.AI_TO_HUMAN,
        accepted_by="Ada",
        handled_by="Chiara",
    ),
    DemoChat(
        "human_to_ai",
        "Ζωή Παππά",
        ago=timedelta(days=2),
        messages=(
            DemoMessage("client", "Are you open tomorrow?"),
            DemoMessage("Борис", "One moment"),
            DemoMessage("client", "Hello?"),
            DemoMessage("Ada", "We are open from 9:00 to 21:00."),
        ),
        handling=Handling.HUMAN_TO_AI,
        accepted_by="Борис",
        handled_by="Ada",
    ),
    DemoChat(
        "spam",
        "WIN-BIG-NOW",
        status=Status.SPAM,
        ago=timedelta(hours=2),
        messages=(DemoMessage("client", "Free casino bonus!!!"),),
    ),
    DemoChat("empty", "Сергей Волков", "volkov@mail.example", "+7 902 765-43-21", Status.ACTIVE),
    DemoChat(
        "internal",
        "Chiara Rossi",
        "chiara@shop.example",
        status=Status.EXPIRED,
        ago=timedelta(hours=30),
        messages=(DemoMessage("client", "Who takes the late shift?"), DemoMessage("Alice", "I do.")),
        handling=Handling.HUMAN,
        accepted_by="Alice",
        handled_by="Alice",
        department="Colleagues",
    ),
)
CHATS = {
    "shop": SHOP,
    "blog": (
        DemoChat(
            "expired",
            "Gärtner Hans",
            "hans@mail.example",
            messages=(
                DemoMessage("client", "Great article!"),
                DemoMessage("Дарья", "Спасибо!", MessageType.FILE, file=DemoFile("prices.csv", _prices)),
            ),
            handling=Handling.HUMAN,
            accepted_by="Дарья",
            handled_by="Дарья",
            tags=("subscriber",),
        ),
    ),
    "rival": (
        DemoChat(
            "expired",
            "Иван Петров",
            "ivan@mail.example",
            ago=timedelta(minutes=30),
            messages=(
                DemoMessage("client", "А у вас дешевле?"),
                DemoMessage("Wanda", "Да, на 5 %.", MessageType.FILE, file=DemoFile("prices.csv", _prices)),
            ),
            handling=Handling.HUMAN,
            accepted_by="Wanda",
            handled_by="Wanda",
            department="Orders",
            tags=("price hunter",),
        ),
        DemoChat("spam", "Spammer", status=Status.SPAM, messages=(DemoMessage("client", "Buy followers"),)),
    ),
}


def seed(demo: Demo) -> None:
    """Adds each widget's contacts and chats with their messages."""
    for widget_name, widget in demo.rows(Widget).items():
        chats = {plan.key: seed_chat(demo, widget_name, widget, plan) for plan in CHATS[widget_name]}
        first = next(iter(chats.values()))
        part = demo.part(widget)
        part["chat_ids"] = [chat.pk for chat in chats.values()]
        part["contact_ids"] = [chat.contact.guid for chat in chats.values()]
        part["chats"] = {key: chat.pk for key, chat in chats.items()}
        part["path_ids"] |= {"chat": first.pk, "contact": first.contact.guid}
        if file := File.objects.for_widget(widget.pk).order_by("pk").first():
            part["path_ids"]["file"] = file.pk


def seed_chat(demo: Demo, widget_name: str, widget: Widget, plan: DemoChat) -> Chat:
    """The contact and the chat of a plan, made if they are not there yet."""
    ended_at = demo.now - plan.ago
    began_at = ended_at - PAUSE * max(0, len(plan.messages) - 1)
    contact, _ = Contact.objects.unscoped("demo data, by what it made").get_or_create(
        guid=stable_guid(f"contact {widget_name} {plan.key}"),
        defaults={
            "widget": widget,
            "name": plan.contact,
            "email": plan.email,
            "phone": plan.phone,
            "attributes": plan.attributes,
            "created_at": began_at,
            "updated_at": began_at,
        },
    )
    for name in plan.tags:
        tag, _ = Tag.objects.get_or_create(account_id=widget.account_id, name=name)
        ContactTag.objects.unscoped("demo data, by what it made").get_or_create(contact=contact, tag=tag)
    agents = {name.removeprefix(f"{widget_name} "): agent for name, agent in demo.rows(Agent).items()}
    chat = Chat.objects.unscoped("demo data, by what it made").filter(contact=contact).select_related("contact").first()
    if chat is None:
        department = demo.row(Department, f"{widget_name} {plan.department}") if plan.department else None
        owner = agents[plan.handled_by] if plan.handled_by else None
        chat = Chat.objects.create(
            widget=widget,
            contact=contact,
            department=department,
            internal=department is not None and department.internal,
            status=plan.status,
            agent=owner if owner and owner.type == Agent.Type.HUMAN else None,
            handling=plan.handling,
            **_attribution("accepted", plan.accepted_by, agents, began_at + PAUSE),
            **_attribution("handled", plan.handled_by, agents, ended_at),
            created_at=began_at,
            expired_at=ended_at + IDLE_AFTER if plan.status == Status.EXPIRED else None,
        )
        _write_messages(chat, plan, agents, began_at)
    demo.keep(f"{widget_name} {plan.key}", contact)
    return demo.keep(f"{widget_name} {plan.key}", chat)


def _attribution(side: str, name: str | None, agents: dict[str, Agent], at: datetime) -> dict[str, Any]:
    if name is None:
        return {}
    agent = agents[name]
    return {f"{side}_agent": agent, f"{side}_type": agent.type, f"{side}_at": at}


def _write_messages(chat: Chat, plan: DemoChat, agents: dict[str, Agent], began_at: datetime) -> None:
    if not plan.messages:
        return
    messages = Message.objects.bulk_create(
        Message(
            chat=chat,
            widget_id=chat.widget_id,
            type=message.type,
            body=message.body,
            details=_details(message, chat, began_at + PAUSE * position),
            is_internal=message.note,
            created_at=began_at + PAUSE * position,
            **_sender(message.who, plan, agents),
        )
        for position, message in enumerate(plan.messages)
    )
    last = [message for message in messages if not message.is_internal][-1]
    chat.last_message_at, chat.last_message_id = last.created_at, last.pk
    chat.has_client_messages = True
    chat.version = len(messages)
    chat.save(update_fields=["last_message_at", "last_message_id", "has_client_messages", "version"])


def _details(message: DemoMessage, chat: Chat, at: datetime) -> dict[str, Any] | None:
    if message.file is None:
        return message.details
    with ReceivedFile(message.file.name) as upload:
        upload.write(message.file.content())
        contact_id = chat.contact_id if message.who == "client" else None
        file = actions.store_file(widget_id=chat.widget_id, contact_id=contact_id, upload=upload)
    File.objects.unscoped("demo data, by what it made").filter(pk=file.pk).update(created_at=at)
    return {"file": FileReferenceSerializer.show(file)}


def _sender(who: str, plan: DemoChat, agents: dict[str, Agent]) -> dict[str, Any]:
    if who == "client":
        return {"sender_kind": SenderKind.CLIENT, "sender_name": plan.contact}
    if who == "system":
        return {"sender_kind": SenderKind.SYSTEM}
    agent = agents[who]
    kind = SenderKind.AI if agent.type == Agent.Type.AI else SenderKind.AGENT
    return {"sender_kind": kind, "agent": agent, "sender_name": agent.full_name}

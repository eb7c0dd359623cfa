"""The demo's canned replies: the shop's, in the languages of its visitors, and some of one operator's own; and two
contacts who are one person.
"""

from typing import NamedTuple

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Contact, ContactJoin
from apps.console.models import CannedReply
from apps.demo.document import Demo, stable_guid


class DemoReply(NamedTuple):
    """`agent` is the name of whose own it is; without one it is shared."""

    shortcut: str
    body: str
    agent: str = ""


REPLIES = {
    "shop": (
        DemoReply("привет", "Здравствуйте! Чем могу помочь?"),
        DemoReply("доставка", "Доставляем по Москве за один день, по России — за 3–7 дней. От 3 000 ₽ бесплатно."),
        DemoReply("возврат", "Нераспечатанный чай можно вернуть в течение 14 дней. Подскажите номер заказа."),
        DemoReply("hello", "Hello! How can I help you?"),
        DemoReply("shipping", "We ship worldwide: 2 to 3 days within the city, 7 to 14 days abroad."),
        DemoReply("bye", "Thank you for writing to us. Have a lovely day!"),
        DemoReply("имя", "Здравствуйте, {visitor.first_name|друг}! Это {operator.first_name}, магазин {widget.name}."),
        DemoReply("me", "Alice here. I am looking it up, one moment please.", agent="Alice"),
        DemoReply("пауза", "Это Борис. Уточняю у склада, вернусь к вам через пару минут.", agent="Борис"),
    ),
    "blog": (DemoReply("привет", "Здравствуйте! Спасибо, что читаете нас."),),
    "rival": (DemoReply("hello", "Hello from the other shop!"),),
}


def seed(demo: Demo) -> None:
    """Adds the replies that are not there yet."""
    for name, widget in demo.rows(Widget).items():
        ids = [_reply(demo, name, widget, plan) for plan in REPLIES[name]]
        demo.part(widget)["path_ids"] |= {"reply": ids[0]}
        with_variables = [id_ for id_, plan in zip(ids, REPLIES[name], strict=True) if "{" in plan.body]
        if with_variables:
            demo.part(widget).setdefault("beside", {})["reply_id"] = with_variables[0]
    _join(demo)


def _join(demo: Demo) -> None:
    """Max wrote from his office, too: the shop's operators have said that both are one."""
    first = demo.row(Contact, "shop expired")
    known = {"name": "M. Mustermann", "email": "office@mustermann.example", "created_at": first.created_at}
    other, _ = Contact.objects.unscoped("demo data, by what it made").get_or_create(
        guid=stable_guid("contact shop joined"), defaults={"widget_id": first.widget_id, **known}
    )
    ContactJoin.objects.for_widget(first.widget_id).get_or_create(
        contact=other, defaults={"widget_id": first.widget_id, "first": first}
    )
    demo.part(demo.row(Widget, "shop")).setdefault("beside", {})["joined"] = [first.guid, other.guid]


def _reply(demo: Demo, name: str, widget: Widget, plan: DemoReply) -> int:
    agent = demo.row(Agent, f"{name} {plan.agent}") if plan.agent else None
    reply, _ = demo.find_or_create(
        f"{widget.guid} {plan.shortcut}",
        CannedReply.objects.for_widget(widget.pk),
        {"body": plan.body},
        widget=widget,
        agent=agent,
        shortcut=plan.shortcut,
    )
    return reply.pk

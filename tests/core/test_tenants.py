"""A tenant's rows are opened by their widget, or with a reason; and what tests make of a statement without either."""

from collections.abc import Callable
from textwrap import indent
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Department
from apps.chats.models import Chat, Contact, ContactTag, Message, Retention
from apps.core.database import fetch_all
from apps.core.database.tenants import UnscopedRead, unscoped
from tests import tenancy


def product(source: str) -> Callable[..., Any]:
    """The function `run(widget_id, row)` of the product's own code, with that body."""
    names: dict[str, Any] = {"__name__": "apps.of_a_test", "unscoped": unscoped, "fetch_all": fetch_all}
    names |= {model.__name__: model for model in (Chat, Contact, ContactTag, Message, Retention, Widget)}
    exec(f"def run(widget_id, row=None):\n{indent(source, '    ')}", names)
    return names["run"]  # type: ignore[no-any-return]


OFFERED = {
    "the widget's rows": "return list(Chat.objects.for_widget(widget_id))",
    "rows with a reason": "return list(Chat.objects.unscoped('every widget').all())",
    "no rows": "return list(Chat.objects.none())",
    "a new row": "return Contact.objects.create(widget_id=widget_id)",
    "new rows": "return Contact.objects.bulk_create([Contact(widget_id=widget_id)])",
    "a row of the widget, or a new one": "return Retention.objects.get_or_create(widget_id=widget_id)",
    "a changed row of the widget, or a new one": "return Retention.objects.update_or_create(widget_id=widget_id)",
    "what no tenant has": "return Widget.objects.get(pk=widget_id)",
}


@pytest.mark.parametrize("source", OFFERED.values(), ids=OFFERED)
def test_what_is_offered(shop: Widget, source: str) -> None:
    product(source)(shop.pk)


REFUSED = {
    "filter": "Chat.objects.filter(pk=1)",
    "all": "Chat.objects.all().for_widget(widget_id)",
    "get": "Chat.objects.get(pk=1)",
    "count": "Chat.objects.count()",
    "with_channel": "Chat.objects.with_channel('widget')",
    "get_or_create": "Contact.objects.get_or_create(email='')",
    "update_or_create": "Contact.objects.update_or_create(email='')",
    "raw": "Chat.objects.raw('SELECT id FROM chats_chat')",
    "get_queryset": "Chat.objects.get_queryset()",
}


@pytest.mark.parametrize("opening", REFUSED)
def test_what_is_refused(opening: str) -> None:
    with pytest.raises(UnscopedRead, match=rf"\.objects\.{opening} may reach rows of every widget.*for_widget"):
        product(REFUSED[opening])(1)


@pytest.mark.parametrize("why", ["", " "])
def test_a_reason_is_needed(why: str) -> None:
    with pytest.raises(ValueError, match="need a reason"):
        product(f"Chat.objects.unscoped({why!r})")(1)


def test_the_model_is_named_with_what_to_write() -> None:
    with pytest.raises(UnscopedRead) as refused:
        product("Chat.objects.filter(pk=1)")(1)
    assert 'Chat.objects.unscoped("the reason").filter' in str(refused.value)


def test_tests_and_django_find_the_usual_manager() -> None:
    assert Chat.objects is Chat._default_manager


# Statements, as they are looked at while tests run.


@pytest.fixture
def message(chat: Chat, sales: Department) -> Message:
    chat.department = sales
    return Message.objects.create(widget=chat.widget, chat=chat, sender_kind="client")


LET_THROUGH = {
    "of a widget": "list(Message.objects.for_widget(widget_id).filter(chat__contact__email=''))",
    "with a reason": "list(Message.objects.unscoped('every widget').filter(pk=row.pk))",
    "a subquery with a reason": """
subquery = Message.objects.unscoped('every widget').filter(body='').values('chat_id')
list(Chat.objects.for_widget(widget_id).filter(pk__in=subquery))""",
    "changed with a reason": "Message.objects.unscoped('every widget').filter(pk=row.pk).update(body='x')",
    "counted with a reason": "Message.objects.unscoped('every widget').filter(pk=row.pk)[:2].count()",
    "deleted with a reason": "Message.objects.unscoped('every widget').filter(pk=row.pk).delete()",
    "what a row refers to": "Message(chat_id=row.chat_id).chat",
    "rows with what refers to them": "list(Chat.objects.for_widget(widget_id).prefetch_related('messages'))",
    "the widget's rows, deleted": "Chat.objects.for_widget(widget_id).delete()",
    "rows that refer to a row": "list(row.chat.messages.filter(body=''))",
    "rows that a row is related to": "row.chat.department.agents.set(row.chat.department.agents.all()[:1])",
    "a row again": "row.refresh_from_db()",
    "a row that is saved": "row.save(update_fields=['body'])",
    "a row that is deleted": "row.delete()",
    "SQL with the widget": """
fetch_all('SELECT id FROM chats_chat WHERE widget_id = %(widget_id)s', {'widget_id': widget_id})""",
    "SQL with a reason": "fetch_all('SELECT id FROM chats_chat /* unscoped: every widget */', {})",
    "SQL on what no tenant has": "fetch_all('SELECT id FROM accounts_account', {})",
}


@pytest.mark.parametrize("source", LET_THROUGH.values(), ids=LET_THROUGH)
def test_a_statement_that_is_let_through(message: Any, source: str) -> None:
    product(source.strip())(message.widget_id, message)
    assert tenancy.take_found() == []


FOUND = {
    "past the guard": "list(Message._default_manager.filter(pk=row.pk))",
    "changed past the guard": "Message._base_manager.filter(pk=row.pk).update(body='x')",
    "deleted past the guard": "Message._base_manager.filter(pk=row.pk).delete()",
    "counted past the guard": "Message._base_manager.count()",
    "a subquery past the guard": """
subquery = Message._base_manager.filter(body='').values('chat_id')
list(Chat.objects.for_widget(widget_id).filter(pk__in=subquery))""",
    "of a widget, or any": "list(Message.objects.for_widget(widget_id) | Message._base_manager.filter(body='x'))",
    "a named read past the guard": "Message._default_manager.get_queryset().get_or_404(pk=row.pk)",
    "SQL by hand": "fetch_all('SELECT id FROM chats_message WHERE id = %(id)s', {'id': row.pk})",
    "a model's SQL": "list(Message._base_manager.raw('SELECT id FROM chats_message'))",
}


@pytest.mark.parametrize("source", FOUND.values(), ids=FOUND)
def test_a_statement_that_is_found(message: Any, source: str) -> None:
    product(source.strip())(message.widget_id, message)
    found = tenancy.take_found()
    assert all(each.startswith("apps.of_a_test.run:") for each in found)
    assert any("reads chats_message of any widget" in each for each in found)
    assert len(found) == 1 or ".delete()" in source, "rows that hang on a deleted one are looked for, too"


def test_statements_of_tests_are_not_looked_at(message: Any) -> None:
    assert list(Message.objects.filter(pk=message.pk)) == [message]
    assert fetch_all("SELECT id FROM chats_message", {}) == [(message.pk,)]
    assert Chat.objects.get_or_404(pk=message.chat_id) == message.chat
    assert tenancy.take_found() == []

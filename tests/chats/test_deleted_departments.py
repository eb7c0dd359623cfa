"""A department that is deleted while it is given a chat: neither of the two fails, or is lost."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from apps.agents.actions.departments import delete_department
from apps.agents.models import Department
from apps.chats.actions import post_client_message, transfer_chat_to_department
from apps.chats.models import Chat, Contact
from apps.chats.rules import Status
from tests.factories import ChatFactory, ContactFactory, DepartmentFactory

pytestmark = pytest.mark.django_db(transaction=True)

HELLO = {"type": "text", "body": "Hello"}
SOMEBODY_WAITS = "SELECT FROM pg_locks WHERE NOT granted"


@pytest.fixture
def sales() -> Department:
    return DepartmentFactory.create(channels=["smb"])


@pytest.fixture
def ivan(sales: Department) -> Contact:
    return ContactFactory.create(widget=sales.widget)


def in_own_connection(work: Callable[[], Any]) -> Callable[[], Any]:
    def run() -> Any:
        try:
            return work()
        finally:
            connection.close()

    return run


def before(statement: str, work: Callable[[], Any]) -> Any:
    """Runs `work` once, before the first statement of this connection that begins so."""
    done: list[bool] = []

    def wrapper(execute: Any, sql: Any, *rest: Any) -> Any:
        if str(sql).strip().startswith(statement) and not done:
            done.append(True)
            work()
        return execute(sql, *rest)

    return connection.execute_wrapper(wrapper)


@pytest.mark.parametrize("is_named", [False, True], ids=["chosen for the visitor", "the visitor's choice"])
def test_a_first_message_is_taken_by_none_when_its_department_goes(
    ivan: Contact, sales: Department, *, is_named: bool
) -> None:
    delete = in_own_connection(lambda: delete_department(widget_id=sales.widget_id, department_id=sales.pk))
    with ThreadPoolExecutor(1) as clerk, before("INSERT INTO chats_chat", lambda: clerk.submit(delete).result(30)):
        posted = post_client_message(contact=ivan, content=HELLO, department_id=sales.pk if is_named else None)
    chat = Chat.objects.get()
    assert (chat.pk, chat.department_id, posted.is_new) == (posted.chat_id, None, True)
    assert not Department.objects.exists()


@contextmanager
def meanwhile(statement: str, work: Callable[[], Any]) -> Iterator[None]:
    """Before such a statement somebody else begins that work, and is done with it or waits; in the end it is done."""
    begun: list[Future[Any]] = []

    def begin() -> None:
        begun.append(somebody.submit(in_own_connection(work)))
        with connection.cursor() as cursor:
            while not begun[0].done():
                cursor.execute(SOMEBODY_WAITS)
                if cursor.rowcount:
                    break

    with ThreadPoolExecutor(1) as somebody:
        with before(statement, begin):
            yield
        begun[0].result(30)


def test_a_department_is_deleted_though_a_first_message_comes_meanwhile(ivan: Contact, sales: Department) -> None:
    with meanwhile('DELETE FROM "agents_department" ', lambda: post_client_message(contact=ivan, content=HELLO)):
        delete_department(widget_id=sales.widget_id, department_id=sales.pk)
    assert not Department.objects.exists()
    assert [chat.department_id for chat in Chat.objects.all()] == [None]


def test_a_chat_is_given_to_a_department_that_is_deleted_meanwhile(ivan: Contact, sales: Department) -> None:
    chat = ChatFactory.create(contact=ivan)
    about = {"widget_id": sales.widget_id, "department_id": sales.pk}
    with meanwhile('UPDATE "chats_chat" ', lambda: delete_department(**about)):
        transfer_chat_to_department(**about, chat_id=chat.pk)
    assert not Department.objects.exists()
    chat.refresh_from_db()
    assert chat.department_id is None


def test_the_open_chats_of_a_deleted_department_change_and_the_closed_ones_only_let_go_of_it(sales: Department) -> None:
    about = {"contact__widget": sales.widget, "department": sales}
    chats = {status: ChatFactory.create(**about, status=status) for status in Status}
    before = {status: chat.version for status, chat in chats.items()}
    delete_department(widget_id=sales.widget_id, department_id=sales.pk)
    for chat in chats.values():
        chat.refresh_from_db()
    assert {chat.department_id for chat in chats.values()} == {None}
    raised = {status for status, chat in chats.items() if chat.version != before[status]}
    assert raised == {Status.ACTIVE, Status.READY}

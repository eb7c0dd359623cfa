"""A department that is deleted while a visitor's first message comes: neither of the two fails, or is lost."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from apps.agents.actions.departments import delete_department
from apps.agents.models import Department
from apps.chats.actions import post_client_message
from apps.chats.models import Chat, Contact
from tests.factories import ContactFactory, DepartmentFactory

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


def test_a_department_is_deleted_though_a_first_message_comes_meanwhile(ivan: Contact, sales: Department) -> None:
    post = in_own_connection(lambda: post_client_message(contact=ivan, content=HELLO))
    posting: list[Future[Any]] = []

    def begin_to_post() -> None:
        posting.append(visitor.submit(post))
        with connection.cursor() as cursor:
            while not posting[0].done():
                cursor.execute(SOMEBODY_WAITS)
                if cursor.rowcount:
                    break

    with ThreadPoolExecutor(1) as visitor, before('DELETE FROM "agents_department" ', begin_to_post):
        delete_department(widget_id=sales.widget_id, department_id=sales.pk)
        posting[0].result(30)
    assert not Department.objects.exists()
    assert [chat.department_id for chat in Chat.objects.all()] == [None]

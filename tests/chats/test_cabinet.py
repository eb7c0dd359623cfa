"""A chat in the cabinet: what was said, the files in it, and what its visitor thinks of it."""

from urllib.parse import urlsplit

from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from apps.agents.models import Agent
from apps.chats.actions import rate_chat
from apps.chats.models import Chat
from apps.chats.shapes.files import FileReferenceShape, file_address
from tests.factories import ChatFactory, ContactFactory, FileFactory, MessageFactory

LIST = reverse("admin:chats_chat_changelist")


def page_of(cabinet: Client, chat: Chat) -> str:
    response = cabinet.get(reverse("admin:chats_chat_change", args=[chat.pk]))
    assert response.status_code == 200
    return response.content.decode()


def rated(chat: Chat, value: int, comment: str = "") -> Chat:
    MessageFactory.create(chat=chat)
    rate_chat(widget_id=chat.widget_id, chat_id=chat.pk, value=value, comment=comment)
    return chat


def test_staff_see_the_rating_who_it_is_of_and_why(cabinet: Client, chat: Chat, alice: Agent) -> None:
    Chat.objects.filter(pk=chat.pk).update(handled_agent=alice)
    rated(chat, 2, "Долго <b>ждал</b>")
    Chat.objects.filter(pk=chat.pk).update(handled_agent=None)
    page = page_of(cabinet, chat)
    assert "2 of 5" in page
    assert "Долго &lt;b&gt;ждал&lt;/b&gt;" in page
    assert str(alice) in page
    assert "2 of 5" in cabinet.get(LIST).content.decode()


def test_a_chat_that_nobody_rated_is_shown_without(cabinet: Client, chat: Chat) -> None:
    assert " of 5" not in page_of(cabinet, chat)
    assert " of 5" not in cabinet.get(LIST).content.decode()


def test_files_are_links_that_open(cabinet: Client, chat: Chat) -> None:
    file = FileFactory.create(widget=chat.widget, name="<b>план</b>.txt", content=b"plan")
    MessageFactory.create(chat=chat, type="file", body="", details={"file": FileReferenceShape.show(file)})
    page = page_of(cabinet, chat)
    assert f'href="{file_address(file.pk)}"' in page
    assert "&lt;b&gt;план&lt;/b&gt;.txt</a>" in page
    assert b"".join(Client().get(urlsplit(file_address(file.pk)).path)) == b"plan"


def test_the_list_asks_no_more_for_more_ratings(
    cabinet: Client, chat: Chat, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rated(chat, 5)
    with django_assert_num_queries(6) as asked:
        cabinet.get(LIST)
    for _ in range(5):
        rated(ChatFactory.create(widget=chat.widget, contact=ContactFactory.create(widget=chat.widget)), 4)
    with django_assert_num_queries(len(asked)):
        cabinet.get(LIST)

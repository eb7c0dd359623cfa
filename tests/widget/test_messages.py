"""`/widget/{guid}/messages`, `typing` and `seen`: the visitor's half of the conversation over HTTP."""

import uuid
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Status
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import DepartmentFactory, MessageFactory
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


def a_message(**fields: Any) -> dict[str, Any]:
    return {"client_id": str(uuid.uuid4()), "type": "text", "body": "Hello", **fields}


def test_the_first_message_makes_the_chat(ivans_browser: VisitorClient, ivan: Contact) -> None:
    response = ivans_browser.post("messages", a_message(body="Добрый день!"))

    assert response.status_code == 201
    message = response.json()["data"]
    chat = Chat.objects.get()
    assert (chat.contact, chat.channel, chat.status, chat.agent) == (ivan, "widget", "active", None)
    assert message["chat_id"] == chat.pk
    assert (message["type"], message["body"]) == ("text", "Добрый день!")
    assert message["sender"] == {"kind": "client", "agent_id": None, "name": "Иван Петров"}
    assert message["created_at"].endswith("Z")


def test_the_same_client_id_again_is_the_same_message(ivans_browser: VisitorClient) -> None:
    document = a_message()
    first = ivans_browser.post("messages", document)
    again = ivans_browser.post("messages", document | {"body": "Another text"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert Message.objects.count() == 1


def test_a_client_id_is_the_visitors_own(ivans_browser: VisitorClient, visitor: VisitorClient) -> None:
    client_id = str(uuid.uuid4())
    visitor.come()
    assert ivans_browser.say("One", client_id=client_id)["id"] != visitor.say("Two", client_id=client_id)["id"]


def test_a_message_may_name_a_department(ivans_browser: VisitorClient, shop: Widget) -> None:
    department = DepartmentFactory.create(widget=shop)
    assert ivans_browser.post("messages", a_message(department_id=department.pk)).status_code == 201
    assert Chat.objects.get().department == department


def test_a_department_of_another_widget_is_404(ivans_browser: VisitorClient, rival: Rival) -> None:
    body = a_message(department_id=rival.department.pk)
    assert_problem(ivans_browser.post("messages", body), 404, "not_found")
    assert not Chat.objects.for_widget(ivans_widget_id()).exists()


def test_a_department_for_colleagues_is_404_like_one_of_another_widget(
    ivans_browser: VisitorClient, shop: Widget, rival: Rival
) -> None:
    refusals = []
    for department in (DepartmentFactory.create(widget=shop, internal=True), rival.department):
        response = ivans_browser.post("messages", a_message(department_id=department.pk))
        refusals.append(assert_problem(response, 404, "not_found")["detail"])
    assert refusals[0] == refusals[1]
    assert not Chat.objects.for_widget(ivans_widget_id()).exists()


def ivans_widget_id() -> int:
    return Contact.objects.get(name="Иван Петров", email="ivan@mail.test", widget__name="Flower shop").widget_id


def test_a_spam_chat_takes_the_message_and_stays_spam(ivans_browser: VisitorClient, chat: Chat) -> None:
    Chat.objects.update(status=Status.SPAM)
    ivans_browser.say("Buy!")
    chat.refresh_from_db()
    assert chat.status == Status.SPAM


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"body": ""}, "body"),
        ({"body": " \n\t"}, "body"),
        ({"body": "x" * 10_001}, "body"),
        ({"body": None}, "body"),
        ({"body": "\0"}, "body"),
        ({"client_id": "one"}, "client_id"),
        ({"client_id": 5}, "client_id"),
        ({"type": "image"}, "file_id"),
        ({"department_id": "1"}, "department_id"),
        ({"file_id": 1}, "file_id"),
        ({"sender": "agent"}, "sender"),
    ],
)
def test_what_is_no_message_is_422(ivans_browser: VisitorClient, change: dict[str, Any], path: str) -> None:
    assert_problem(ivans_browser.post("messages", a_message(**change)), 422, "invalid_input", errors=[path])
    assert not Chat.objects.exists()


def test_ten_thousand_characters_are_a_message(ivans_browser: VisitorClient) -> None:
    assert len(ivans_browser.say("ы" * 10_000)["body"]) == 10_000


def test_the_messages_after_an_id_oldest_first(ivans_browser: VisitorClient, chat: Chat, olga: Agent) -> None:
    ids = [MessageFactory.create(chat=chat).pk, MessageFactory.create(chat=chat, agent=olga).pk]
    MessageFactory.create(chat=chat, agent=olga, is_internal=True)
    ids.append(MessageFactory.create(chat=chat).pk)

    def shown(query: str) -> list[int]:
        return [message["id"] for message in ivans_browser.get(f"messages{query}").json()["data"]]

    assert shown("") == ids
    assert shown("?after_id=0&limit=2") == ids[:2]
    assert shown(f"?after_id={ids[1]}") == ids[2:]
    assert shown(f"?after_id={ids[2]}") == []


def test_a_visitor_without_a_chat_has_no_messages(ivans_browser: VisitorClient) -> None:
    assert ivans_browser.get("messages").json() == {"data": []}


@pytest.mark.parametrize("query", ["after_id=-1", "after_id=x", "limit=0", "limit=101", "cursor=1", "limit=1&limit=2"])
def test_a_bad_parameter_is_422(ivans_browser: VisitorClient, query: str) -> None:
    assert_problem(ivans_browser.get(f"messages?{query}"), 422, "invalid_input", errors=[query.partition("=")[0]])


def test_seen_marks_the_operators_messages_up_to_one(
    ivans_browser: VisitorClient, api: ApiClient, chat: Chat, olga: Agent
) -> None:
    mine = MessageFactory.create(chat=chat)
    first, second, third = (MessageFactory.create(chat=chat, agent=olga) for _ in range(3))
    assert ivans_browser.post("seen", {"message_id": second.pk}).status_code == 204
    seen = dict(Message.objects.exclude(seen_at=None).values_list("pk", "seen_at"))
    assert set(seen) == {first.pk, second.pk}
    assert third.pk not in seen
    assert mine.pk not in seen


def test_seen_of_a_message_elsewhere_is_404(
    ivans_browser: VisitorClient, visitor: VisitorClient, chat: Chat, rival: Rival, olga: Agent
) -> None:
    foreign = MessageFactory.create(chat=rival.chat, agent=rival.agent)
    note = MessageFactory.create(chat=chat, agent=olga, is_internal=True)
    for message in (foreign, note):
        assert_problem(ivans_browser.post("seen", {"message_id": message.pk}), 404, "not_found")
    visitor.come()
    assert_problem(visitor.post("seen", {"message_id": note.pk}), 404, "not_found")
    assert not Message.objects.exclude(seen_at=None).exists()


def test_typing_is_taken_with_and_without_a_chat(ivans_browser: VisitorClient) -> None:
    assert ivans_browser.post("typing", {"state": "start"}).status_code == 204
    ivans_browser.say("Hello")
    assert ivans_browser.post("typing", {"state": "stop"}).status_code == 204
    for body in ({}, {"state": "maybe"}):
        assert_problem(ivans_browser.post("typing", body), 422, "invalid_input", errors=["state"])


@pytest.mark.parametrize("call", ["messages", "typing", "seen"])
def test_without_a_token_a_call_is_401(visitor: VisitorClient, call: str) -> None:
    assert_problem(visitor.post(call, {}), 401, "invalid_visitor_token")
    assert visitor.post(call, {}, Authorization="Bearer vt_" + "x" * 40).status_code == 401


def test_a_token_is_good_at_its_own_widget_alone(ivans_browser: VisitorClient, rival: Rival) -> None:
    elsewhere = VisitorClient(rival.widget, ivans_browser.token)
    assert_problem(elsewhere.get("messages"), 401, "invalid_visitor_token")


def kept(message: dict[str, Any]) -> tuple[str | None, str | None]:
    row = Message.objects.get(pk=message["id"])
    return row.language, row.page


def test_the_language_and_the_page_are_kept_with_a_message(visitor: VisitorClient) -> None:
    visitor.come(lang="pt-BR", page_url="https://shop.example/roses?promo=7#top")
    assert kept(visitor.say("Hello")) == ("pt", "shop.example/roses")
    for url, page in (
        ("https://Shop.example:8443/tulips?q=1", "shop.example:8443/tulips"),
        ("http://shop.example:80", "shop.example/"),
        ("about:blank", None),
        ("", "shop.example/roses"),
        (f"https://shop.example/{'a' * 900}", f"shop.example/{'a' * 487}"),
    ):
        assert kept(visitor.post("messages", a_message(page_url=url)).json()["data"]) == ("pt", page)


def test_a_browser_that_told_nothing_leaves_nothing(visitor: VisitorClient) -> None:
    visitor.come()
    assert kept(visitor.say("Hello")) == (None, None)


def test_a_page_is_at_most_2000_characters(ivans_browser: VisitorClient) -> None:
    url = "https://shop.example/"
    assert ivans_browser.post("messages", a_message(page_url=url.ljust(2000, "a"))).status_code == 201
    response = ivans_browser.post("messages", a_message(page_url=url.ljust(2001, "a")))
    assert_problem(response, 422, "invalid_input")
    assert list(response.json()["errors"]) == ["page_url"]


def test_an_offline_form_keeps_them_too(visitor: VisitorClient) -> None:
    visitor.come(lang="ru", page_url="https://shop.example/contacts")
    assert kept(visitor.post("offline", {"message": "Call me"}).json()["data"]) == ("ru", "shop.example/contacts")

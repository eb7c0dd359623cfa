"""The answers that visitors' messages carry: what is taken, what is refused, and what becomes of them."""

import hashlib
from datetime import timedelta
from typing import Any
from uuid import uuid4

import orjson
import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.actions.personal_data import erase, held_of_contact, rows_of
from apps.chats.models import Chat, ChatActivity, Contact, Message
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Event
from apps.widget.models import ChatAnswers, ContactConsent
from tests.client import ApiClient, assert_problem
from tests.factories import DepartmentFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.rows import snapshot
from tests.widget.asking import CONSENT, EMAIL, ORDER, TOPIC, ask, question
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


def post(browser: VisitorClient, answers: Any = None, body: str = "Where is it?", **members: Any) -> Any:
    document = {"client_id": str(uuid4()), "type": "text", "body": body, **members}
    return browser.post("messages", document if answers is None else {**document, "answers": answers})


def refused(browser: VisitorClient, answers: Any = None, code: str = "invalid_input", **members: Any) -> dict[str, Any]:
    """What a message is refused for; nothing is stored."""
    before = snapshot()
    answer = post(browser, answers, **members)
    assert_problem(answer, 422, code)
    assert snapshot() == before
    errors: dict[str, Any] = answer.json()["errors"]
    return errors


@pytest.fixture
def browser(visitor: VisitorClient) -> VisitorClient:
    """A browser that has just begun a session."""
    visitor.come()
    return visitor


def the_contact() -> Contact:
    return Contact.objects.get(chats__channel="widget")


class TestRequired:
    def test_a_chat_does_not_begin_without_them(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, TOPIC, ORDER, EMAIL, CONSENT)
        assert list(refused(browser, code="answers_required")) == ["answers.topic", "answers.privacy"]
        given = {"topic": "order", "privacy": True}
        assert list(refused(browser, given, code="answers_required")) == ["answers.order"]
        assert post(browser, {**given, "order": "A-17"}).status_code == 201

    def test_a_required_consent_is_given_by_true_alone(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, CONSENT)
        assert list(refused(browser, {"privacy": False}, code="answers_required")) == ["answers.privacy"]

    @pytest.mark.parametrize("empty", ["", "  ", None])
    def test_an_empty_answer_counts_as_none(self, browser: VisitorClient, shop: Widget, empty: Any) -> None:
        ask(shop, question("text", required=True), question("long_text"))
        given = {"text": empty, "long_text": empty}
        assert list(refused(browser, given, code="answers_required")) == ["answers.text"]
        assert post(browser, {"text": "yes", "long_text": empty}).status_code == 201
        assert Chat.objects.get().answers == {"text": "yes"}

    def test_a_chat_that_goes_on_needs_none_and_takes_some(self, browser: VisitorClient, shop: Widget) -> None:
        assert post(browser).status_code == 201
        ask(shop, TOPIC)
        assert post(browser, body="And another thing").status_code == 201
        assert Chat.objects.get().answers is None
        assert post(browser, {"topic": "other"}, body="Well").status_code == 201
        assert Chat.objects.get().answers == {"topic": "other"}

    def test_thanks_for_an_answer_begin_nothing_but_a_word_after_a_close_does(
        self, browser: VisitorClient, shop: Widget, alice: Agent
    ) -> None:
        ask(shop, TOPIC)
        chat_id = post(browser, {"topic": "order"}).json()["data"]["chat_id"]
        chats.post_agent_message(
            widget_id=shop.pk, chat_id=chat_id, content={"type": "text", "body": "Here."}, agent_id=alice.pk
        )
        chats.close_chat(widget_id=shop.pk, chat_id=chat_id, by_agent_id=alice.pk)
        assert post(browser, body="Thank you!").status_code == 201
        assert list(refused(browser, body="One more question", code="answers_required")) == ["answers.topic"]
        assert post(browser, {"topic": "other"}, body="One more question").status_code == 201
        assert [row.answers for row in ChatAnswers.objects.order_by("id")] == [{"topic": "order"}, {"topic": "other"}]
        assert Chat.objects.get().answers == {"topic": "other"}

    def test_a_word_after_a_days_silence_begins_again(self, browser: VisitorClient, shop: Widget, alice: Agent) -> None:
        ask(shop, TOPIC)
        chat_id = post(browser, {"topic": "order"}).json()["data"]["chat_id"]
        chats.post_agent_message(
            widget_id=shop.pk, chat_id=chat_id, content={"type": "text", "body": "Here."}, agent_id=alice.pk
        )
        assert post(browser, body="And the other one?").status_code == 201
        chats.post_agent_message(
            widget_id=shop.pk, chat_id=chat_id, content={"type": "text", "body": "There."}, agent_id=alice.pk
        )
        long_ago = timezone.now() - timedelta(hours=25)
        Message.objects.for_widget(shop.pk).update(created_at=long_ago)
        assert list(refused(browser, body="Hello again", code="answers_required")) == ["answers.topic"]

    def test_while_they_wait_nothing_begins_however_long_it_takes(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, TOPIC)
        post(browser, {"topic": "order"})
        Message.objects.for_widget(shop.pk).update(created_at=timezone.now() - timedelta(days=3))
        assert post(browser, body="Is anybody there?").status_code == 201

    def test_a_beginning_without_an_answer_leaves_none_at_the_chat(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, {**TOPIC, "required": False})
        chat_id = post(browser, {"topic": "order"}).json()["data"]["chat_id"]
        chats.close_chat(widget_id=shop.pk, chat_id=chat_id)
        assert post(browser).status_code == 201
        assert Chat.objects.get().answers == {}


class TestRefused:
    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("text", 5),
            ("text", "x" * 1001),
            ("long_text", ["a"]),
            ("number", "5"),
            ("number", True),
            ("number", {"a": 1}),
            ("date", "21.11.2026"),
            ("date", "2026-02-30"),
            ("date", "20261121"),
            ("yes_no", "yes"),
            ("yes_no", 1),
            ("consent", "true"),
            ("name", "\x07"),
            ("name", "x" * 256),
            ("email", "nobody"),
            ("phone", "call me"),
            ("department", "1"),
            ("department", True),
            ("department", 10**12),
        ],
    )
    def test_wrong_values(self, browser: VisitorClient, shop: Widget, kind: str, value: Any) -> None:
        ask(shop, question(kind))
        assert list(refused(browser, {kind: value})) == [f"answers.{kind}"]

    def test_a_choice_takes_its_values_alone(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, TOPIC)
        assert refused(browser, {"topic": "refund"}) == {"answers.topic": ["One of order, other is expected."]}
        assert list(refused(browser, {"topic": True})) == ["answers.topic"]

    def test_unknown_keys(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, {**TOPIC, "required": False})
        assert refused(browser, {"colour": "red"}) == {"answers.colour": ["There is no such question."]}
        ask(shop, TOPIC, is_on=False)
        assert list(refused(browser, {"topic": "order"})) == ["answers.topic"]

    def test_a_question_whose_condition_does_not_hold(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, TOPIC, ORDER)
        found = refused(browser, {"topic": "other", "order": "A-17"})
        assert found == {"answers.order": ["The question is not asked after these answers."]}
        assert list(refused(browser, {"order": "A-17"})) == ["answers.order"]

    def test_all_conditions_must_hold(self, browser: VisitorClient, shop: Widget) -> None:
        last = question("text", when={"yes_no": [True], "number": [1, 2]})
        ask(shop, question("yes_no"), question("number"), last)
        assert list(refused(browser, {"yes_no": True, "number": 3, "text": "a"})) == ["answers.text"]
        assert list(refused(browser, {"yes_no": True, "text": "a"})) == ["answers.text"]
        assert post(browser, {"yes_no": True, "number": 2, "text": "a"}).status_code == 201

    def test_what_is_no_object(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, TOPIC)
        assert list(refused(browser, ["order"])) == ["answers"]

    def test_a_department_that_visitors_do_not_see_and_one_named_twice(
        self, browser: VisitorClient, shop: Widget, rival: Any
    ) -> None:
        ask(shop, question("department"))
        seen, hidden = DepartmentFactory.create(widget=shop), DepartmentFactory.create(widget=shop, internal=True)
        foreign = DepartmentFactory.create(widget=rival.widget)
        assert list(refused(browser, {"department": hidden.pk})) == ["answers.department"]
        assert list(refused(browser, {"department": foreign.pk})) == ["answers.department"]
        assert list(refused(browser, {"department": seen.pk}, department_id=seen.pk)) == ["department_id"]

    def test_more_attributes_than_a_contact_may_have(self, browser: VisitorClient, shop: Widget) -> None:
        browser.come(visitor_token=browser.token, attributes={f"a{n}": 1 for n in range(64)})
        ask(shop, question("text"))
        assert list(refused(browser, {"text": "a"})) == ["answers"]

    def test_a_number_that_no_double_holds(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, question("number"))
        before = snapshot()
        document = {"client_id": str(uuid4()), "type": "text", "body": "a", "answers": {"number": 1}}
        raw = orjson.dumps(document).replace(b'"number":1', b'"number":1e999')
        assert browser.post("messages", raw).status_code == 422
        assert snapshot() == before


class TestKept:
    def test_each_kind_has_its_place(self, api: ApiClient, browser: VisitorClient, shop: Widget) -> None:
        kinds = ("name", "email", "phone", "text", "long_text", "number", "date", "yes_no")
        ask(shop, *(question(kind) for kind in kinds), TOPIC)
        given = {
            "name": "Anna Grey",
            "email": "anna@new.test",
            "phone": "+7 902 765-43-21",
            "text": "A-17",
            "long_text": "two\nlines",
            "number": 2.5,
            "date": "2026-11-21",
            "yes_no": False,
            "topic": "order",
        }
        message = post(browser, given).json()["data"]
        contact = the_contact()
        assert (contact.name, contact.email, contact.phone) == ("Anna Grey", "anna@new.test", "+7 902 765-43-21")
        assert contact.attributes == {
            key: given[key] for key in ("text", "long_text", "number", "date", "yes_no", "topic")
        }
        assert message["sender"]["name"] == "Anna Grey"
        assert api.get(f"/api/v1/chats/{message['chat_id']}").json()["data"]["answers"] == given
        row = ChatAnswers.objects.get()
        assert (row.answers, row.message_id, row.chat_id) == (given, message["id"], message["chat_id"])

    def test_a_chat_without_answers_has_none(self, api: ApiClient, browser: VisitorClient) -> None:
        post(browser)
        assert [row["answers"] for row in api.get("/api/v1/chats").json()["data"]] == [{}]

    def test_the_department_becomes_the_chats(self, browser: VisitorClient, shop: Widget, alice: Agent) -> None:
        sales, help_desk = (DepartmentFactory.create(widget=shop, name=name) for name in ("Sales", "Help"))
        ask(shop, question("department", required=True))
        chat_id = post(browser, {"department": help_desk.pk}).json()["data"]["chat_id"]
        assert Chat.objects.get().department_id == help_desk.pk
        chats.post_agent_message(
            widget_id=shop.pk, chat_id=chat_id, content={"type": "text", "body": "Here."}, agent_id=alice.pk
        )
        chats.close_chat(widget_id=shop.pk, chat_id=chat_id)
        assert post(browser, {"department": sales.pk}, body="A new matter").status_code == 201
        chat = Chat.objects.get()
        assert (chat.department_id, chat.agent_id, chat.answers) == (sales.pk, None, {"department": sales.pk})
        assert ChatActivity.objects.for_widget(shop.pk).filter(kind="transferred", department_id=sales.pk).count() == 1

    def test_a_consent_is_a_row_with_the_hash_of_the_text_as_it_was_shown(
        self, api: ApiClient, visitor: VisitorClient, shop: Widget
    ) -> None:
        ask(shop, CONSENT, question("consent", key="news", label={"en": "Send me news"}))
        visitor.come(lang="en")
        post(visitor, {"privacy": True, "news": False})
        contact = the_contact()
        label = CONSENT["label"]["en"]
        rows = ContactConsent.objects.for_widget(shop.pk).order_by("id")
        assert [(row.key, row.given, row.lang, row.text_sha256) for row in rows] == [
            ("privacy", True, "en", hashlib.sha256(label.encode()).hexdigest()),
            ("news", False, "en", hashlib.sha256(b"Send me news").hexdigest()),
        ]
        shown = api.get(f"/api/v1/contacts/{contact.guid}").json()["data"]["consents"]
        assert [(one["key"], one["given"], one["lang"], one["text_sha256"]) for one in shown] == [
            (row.key, row.given, row.lang, row.text_sha256) for row in reversed(rows)
        ]
        assert [one["at"] for one in shown] == [f"{row.at:%Y-%m-%dT%H:%M:%S.%f}Z" for row in reversed(rows)]
        assert contact.attributes == {}

    def test_the_language_of_a_consent_is_that_of_the_page(self, visitor: VisitorClient, shop: Widget) -> None:
        ask(shop, CONSENT)
        visitor.come(lang="ru")
        post(visitor, {"privacy": True})
        row = ContactConsent.objects.get()
        assert (row.lang, row.text_sha256) == ("ru", hashlib.sha256("Согласен".encode()).hexdigest())

    def test_the_same_message_again_is_the_stored_one_whatever_is_asked_by_then(
        self, browser: VisitorClient, shop: Widget
    ) -> None:
        ask(shop, TOPIC)
        client_id = str(uuid4())
        first = post(browser, {"topic": "order"}, client_id=client_id)
        ask(shop, EMAIL)
        before = snapshot()
        again = post(browser, {"topic": "order"}, client_id=client_id)
        assert (again.status_code, again.json()["data"]) == (200, first.json()["data"])
        assert snapshot() == before

    def test_a_message_that_is_refused_leaves_no_answer(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, EMAIL)
        before = snapshot()
        document = {"client_id": str(uuid4()), "type": "file", "file_id": 99, "answers": {"mail": "a@new.test"}}
        assert_problem(browser.post("messages", document), 404, "not_found")
        assert snapshot() == before

    def test_integrators_are_told_of_the_keys_where_they_wish(self, browser: VisitorClient, shop: Widget) -> None:
        set_event_enabled(name="questions.answered", enabled=True)
        SubscriptionFactory.create(widget=shop, events=["questions.answered"])
        ask(shop, TOPIC, ORDER)
        message = post(browser, {"topic": "order", "order": "A-17"}).json()["data"]
        assert post(browser, body="More").status_code == 201
        event = Event.objects.get(type="questions.answered")
        assert orjson.loads(event.body)["data"] == {
            "chat_id": message["chat_id"],
            "client_id": the_contact().guid,
            "keys": ["topic", "order"],
            "source": "widget",
            "button_guid": shop.guid,
        }


class TestKnown:
    def test_what_the_page_tells_or_the_contact_has_is_not_asked(self, visitor: VisitorClient, shop: Widget) -> None:
        ask(shop, {**EMAIL, "required": True}, question("text", required=True), question("number", required=True))
        assert visitor.come()["known_answers"] == []
        told = visitor.come(visitor_token=visitor.token, email="anna@new.test", attributes={"text": "A-17"})
        assert told["known_answers"] == ["mail", "text"]
        assert list(refused(visitor, code="answers_required")) == ["answers.number"]
        assert post(visitor, {"number": 3}).status_code == 201

    def test_an_answer_is_asked_for_again_when_its_days_are_over(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, EMAIL, TOPIC, question("text", ask_again_days=30))
        post(browser, {"mail": "anna@new.test", "topic": "order", "text": "A-17"})
        assert browser.come(visitor_token=browser.token)["known_answers"] == ["mail", "text"]
        ChatAnswers.objects.for_widget(shop.pk).update(at=timezone.now() - timedelta(days=31))
        assert browser.come(visitor_token=browser.token)["known_answers"] == ["mail"]
        ChatAnswers.objects.for_widget(shop.pk).update(at=timezone.now() - timedelta(days=366))
        assert browser.come(visitor_token=browser.token)["known_answers"] == []

    def test_what_the_page_tells_stays_known_though_it_was_answered_once(
        self, browser: VisitorClient, shop: Widget
    ) -> None:
        ask(shop, question("text"))
        post(browser, {"text": "A-17"})
        assert browser.come(visitor_token=browser.token)["known_answers"] == []
        told = browser.come(visitor_token=browser.token, attributes={"text": "A-17"})
        assert told["known_answers"] == ["text"]
        assert browser.come(visitor_token=browser.token)["known_answers"] == ["text"]

    def test_what_somebody_has_set_since_is_known(self, api: ApiClient, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, question("text"))
        post(browser, {"text": "A-17"})
        api.patch(f"/api/v1/contacts/{the_contact().guid}", json={"attributes": {"text": "A-18"}})
        assert browser.come(visitor_token=browser.token)["known_answers"] == ["text"]

    def test_a_consent_is_known_for_the_text_that_it_was_given_to(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, {**CONSENT, "ask_again_days": 365})
        post(browser, {"privacy": True})
        assert browser.come(visitor_token=browser.token)["known_answers"] == ["privacy"]
        ask(shop, {**CONSENT, "ask_again_days": 365, "label": {"en": "I agree to all of it"}})
        assert browser.come(visitor_token=browser.token)["known_answers"] == []

    def test_a_known_one_may_be_changed(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, EMAIL)
        post(browser, {"mail": "anna@new.test"})
        assert post(browser, {"mail": " anna@newer.test "}, body="Changed").status_code == 201
        assert the_contact().email == "anna@newer.test"

    def test_no_value_is_sent_to_the_page(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, EMAIL)
        post(browser, {"mail": "anna@new.test"})
        session = browser.come(visitor_token=browser.token)
        assert "anna@new.test" not in str({**session, "letters": None})

    def test_a_condition_may_rest_on_a_known_answer(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, {**TOPIC, "ask_again_days": 365}, ORDER)
        post(browser, {"topic": "order", "order": "A-17"})
        chats.close_chat(widget_id=shop.pk, chat_id=Chat.objects.get().pk)
        assert post(browser, {"order": "A-18"}, body="Another one").status_code == 201
        chats.close_chat(widget_id=shop.pk, chat_id=Chat.objects.get().pk)
        assert post(browser, body="Nothing was asked").status_code == 201


class TestOffline:
    def test_the_form_carries_answers(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, TOPIC, {**EMAIL, "required": True})
        before = snapshot()
        answer = browser.post("offline", {"message": "Call me"})
        assert_problem(answer, 422, "answers_required")
        assert list(answer.json()["errors"]) == ["answers.topic", "answers.mail"]
        assert snapshot() == before
        form = {"message": "Call me", "email": "anna@new.test", "answers": {"topic": "order"}}
        assert browser.post("offline", form).status_code == 201
        assert (the_contact().email, the_contact().attributes) == ("anna@new.test", {"topic": "order"})
        assert Chat.objects.get().answers == {"topic": "order"}

    def test_the_department_is_the_chats(self, browser: VisitorClient, shop: Widget) -> None:
        DepartmentFactory.create(widget=shop)
        chosen = DepartmentFactory.create(widget=shop)
        ask(shop, question("department", required=True))
        form = {"message": "Call me", "answers": {"department": chosen.pk}}
        assert browser.post("offline", form).status_code == 201
        assert Chat.objects.get().department_id == chosen.pk

    def test_below_a_message_that_is_there_nothing_is_required(self, browser: VisitorClient, shop: Widget) -> None:
        message = post(browser).json()["data"]
        ask(shop, TOPIC, EMAIL)
        form = {"message_id": message["id"], "answers": {"mail": "anna@new.test"}}
        answer = browser.post("offline", form)
        assert (answer.status_code, answer.json()["data"]["id"]) == (200, message["id"])
        assert (the_contact().email, Chat.objects.get().answers) == ("anna@new.test", {"mail": "anna@new.test"})
        assert Message.objects.count() == 1


class TestPersonalData:
    def test_the_copy_has_them_and_an_erasure_leaves_none(self, browser: VisitorClient, shop: Widget) -> None:
        ask(shop, TOPIC, CONSENT)
        post(browser, {"topic": "order", "privacy": True})
        contact = the_contact()
        held = {each.name: list(rows_of(each)) for each in held_of_contact(shop.pk, contact.pk)}
        assert [row["answers"] for row in held["answers"]] == [{"topic": "order", "privacy": True}]
        assert [(row["key"], row["given"]) for row in held["consents"]] == [("privacy", True)]
        for each in reversed(list(held_of_contact(shop.pk, contact.pk))):
            erase(each)
        assert not ChatAnswers.objects.for_widget(shop.pk).exists()
        assert not ContactConsent.objects.for_widget(shop.pk).exists()

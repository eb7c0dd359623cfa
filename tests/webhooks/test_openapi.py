"""The OpenAPI document shows what receivers are sent, as it is sent (specification, "Events")."""

import copy
import json
from typing import Any
from uuid import uuid4

import orjson
import pytest
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from apps.accounts.models import Widget
from apps.agents.actions import begin_presence, end_presence
from apps.agents.models import Agent
from apps.articles.actions.publishing import unpublish
from apps.articles.actions.tallies import give_feedback
from apps.articles.destinations import WEBHOOK_EVENTS as ARTICLE_EVENTS
from apps.automations.events import AutomationFired
from apps.chats import actions
from apps.chats.events import InvitationAnswered, QuestionsAnswered
from apps.chats.models import Contact
from apps.chats.rules import Via
from apps.core import bus
from apps.core.database import encryption
from apps.routing.events import AnswerTimeMissed, AnswerTimeWarned, ChatAssigned, ChatQueued
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.handlers import WEBHOOK_EVENTS
from apps.webhooks.models import Event
from apps.webhooks.openapi import GUIDE
from apps.webhooks.rules import CATALOGUE, LEGACY_NAMES, EventType, legacy_body, native_body
from tests.client import ApiClient
from tests.factories.articles import an_article
from tests.factories.webhooks import SubscriptionFactory
from tests.webhooks.documented import component, example_of, faults, schema_of
from tests.webhooks.receivers import HookReceiver
from tests.webhooks.test_outbox import TEXT, enable

HEADERS = [
    "X-Service-Event",
    "X-Service-Signature",
    "X-Service-Idempotency-Key",
    "X-Service-Delivery",
    "X-Service-Timestamp",
]
OLDER = set(LEGACY_NAMES.values())
WRITTEN = {event_type for event_type, _ in [*WEBHOOK_EVENTS.values(), *ARTICLE_EVENTS.values()]}

each_event = pytest.mark.parametrize("event", CATALOGUE.values(), ids=list(CATALOGUE))


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return generated


def test_every_event_of_the_catalogue_has_its_webhook(document: dict[str, Any]) -> None:
    names = [*CATALOGUE, *LEGACY_NAMES]
    assert [name for name in document["webhooks"] if name in names] == names
    assert CATALOGUE.keys() == WRITTEN


@each_event
def test_a_webhook_says_what_is_sent_and_what_answers_mean(event: EventType, document: dict[str, Any]) -> None:
    request = document["webhooks"][event.name]["post"]
    parameters = [component(parameter, document) for parameter in request["parameters"]]
    assert [(each["name"], each["in"], each["required"]) for each in parameters] == [
        (name, "header", True) for name in HEADERS
    ]
    assert list(request["responses"]) == ["2XX", "default"]
    says = request["description"]
    assert event.fires_when in says
    assert f"]({GUIDE})" in says
    assert Client().get(GUIDE).status_code == 200
    assert ("Its name is frozen." in says) == event.is_frozen
    assert ("Enabled platform-wide from the start." in says) == event.is_live
    assert (f"Its legacy name is `{event.legacy_name}`" in says) == (event.name in LEGACY_NAMES.values())


@each_event
def test_the_example_is_a_body_as_it_is_written(event: EventType, document: dict[str, Any]) -> None:
    example, schema = copy.deepcopy(example_of(event.name, document)), schema_of(event.name, document)
    assert faults(example, schema) == []
    assert list(example["data"]) == schema["properties"]["data"]["required"] == [*event.fields, "button_guid"]
    guid = example["data"].pop("button_guid")
    assert orjson.loads(native_body(example["id"], event.name, dict(example["data"]), widget_guid=guid)) == {
        **example,
        "data": {**example["data"], "button_guid": guid},
    }


@pytest.mark.parametrize("name", LEGACY_NAMES)
def test_the_example_of_a_legacy_name_is_the_events_in_its_envelope(name: str, document: dict[str, Any]) -> None:
    example, native = example_of(name, document), example_of(LEGACY_NAMES[name], document)
    assert faults(example, schema_of(name, document)) == []
    assert set(example) == set(schema_of(name, document)["properties"])
    assert example == json.loads(legacy_body(json.dumps(native)))


@pytest.mark.django_db
def test_what_is_written_is_as_the_document_says(
    api: ApiClient, shop: Widget, ivan: Contact, alice: Agent, boris: Agent, document: dict[str, Any]
) -> None:
    enable(*CATALOGUE)
    SubscriptionFactory.create(widget=shop, events=list(CATALOGUE))
    chat_id = actions.post_client_message(contact=ivan, content=TEXT).chat_id
    actions.rate_chat(widget_id=shop.pk, chat_id=chat_id, value=5, comment="")  # nobody's yet: operator_id is null
    for body in ({"agent_id": alice.pk}, {"agent_id": boris.pk}):  # from nobody, then from Alice
        assert api.post(f"/chats/{chat_id}/transfer", json=body).status_code == 202
    said = actions.post_agent_message(
        widget_id=shop.pk, chat_id=chat_id, content=TEXT, agent_id=boris.pk, via=Via.CONSOLE
    )
    actions.edit_message(widget_id=shop.pk, message_id=said.id, agent_id=boris.pk, body="Hello!", markdown=None)
    changes = {"name": "Ivan", "attributes": {"plan": "pro"}}
    assert api.patch(f"/contacts/{ivan.guid}", json=changes).status_code == 200
    assert api.post(f"/chats/{chat_id}/close", json={"reason": "resolved"}).status_code == 200
    for about in ({}, {"name": "Ivan", "email": "ivan@new.test", "phone": "+7 902 765-43-21"}):
        actions.leave_offline_message(contact=ivan, about=about, message="Call me")
    routed: dict[str, Any] = {
        "widget_id": shop.pk,
        "widget_guid": shop.guid,
        "chat_id": chat_id,
        "contact_guid": ivan.guid,
        "department_id": None,
    }
    due: dict[str, Any] = {"metric": "first_reply", "due_at": timezone.now(), "agent_id": None, "priority": "normal"}
    bus.publish(ChatQueued(**routed, priority="normal"))
    bus.publish(ChatAssigned(**routed, operator_id=boris.pk, outcome="accepted"))
    fired = {"automation_id": 5, "version": 2, "name": "refund-asked", "run_id": 77}
    begun = {name: routed[name] for name in routed if name != "department_id"}
    bus.publish(AutomationFired(**begun, **fired))
    bus.publish(InvitationAnswered(**begun, invitation_id=3))
    bus.publish(QuestionsAnswered(**begun, channel="widget", keys=("order", "topic")))
    article = an_article(shop, published=True)
    give_feedback(widget_id=shop.pk, article_id=article.pk, lang="en", key="a" * 32, helpful=True)
    unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
    for told in (AnswerTimeWarned, AnswerTimeMissed):
        bus.publish(told(**routed, **due))
    process = uuid4()
    begin_presence(agent_id=alice.pk, process=process)
    end_presence(agent_id=alice.pk, process=process)

    events = Event.objects.order_by("id")
    bodies = [orjson.loads(encryption.decrypt(each.body) if each.is_sealed else each.body) for each in events]
    assert {body["type"] for body in bodies} == WRITTEN
    assert [faults(body, schema_of(body["type"], document)) for body in bodies] == [[]] * len(bodies)
    legacy = [json.loads(legacy_body(orjson.dumps(body).decode())) for body in bodies if body["type"] in OLDER]
    assert {body["event_name"] for body in legacy} == LEGACY_NAMES.keys()
    assert [faults(body, schema_of(body["event_name"], document)) for body in legacy] == [[]] * len(legacy)
    handed_over = [body["data"]["from_operator_id"] for body in bodies if body["type"] == "chat.transferred"]
    assert handed_over == [None, alice.pk]


@pytest.mark.django_db(transaction=True)
def test_the_headers_are_as_the_document_says(
    settings: Any, shop: Widget, ivan: Contact, document: dict[str, Any]
) -> None:
    deliverer = Deliverer()
    with HookReceiver() as hook:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{hook.port}"]
        SubscriptionFactory.create(widget=shop, url=hook.url)
        actions.post_client_message(contact=ivan, content=TEXT)
        deliverer.wake()
        (heard,) = hook.wait_for(1)
        deliverer.stop(5)
    shown = document["components"]["parameters"]
    assert [faults(heard.headers[name.lower()], shown[name]["schema"]) for name in HEADERS] == [[]] * len(HEADERS)
    assert [faults(shown[name]["example"], shown[name]["schema"]) for name in HEADERS] == [[]] * len(HEADERS)
    assert {name for name in heard.headers if name.startswith("x-service")} == {name.lower() for name in HEADERS}


def test_a_body_with_another_field_is_not_as_the_document_says(document: dict[str, Any]) -> None:
    """The check above would notice."""
    data = {"chat_id": "7", "text": "Hello", "button_guid": "0" * 32}
    body = {"id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51", "type": "chat.closed", "data": data}
    assert faults(body, schema_of("chat.closed", document)) == [
        "'reason' is a required property",
        "'7' is not of type 'integer'",
        "text is not in the schema",
    ]

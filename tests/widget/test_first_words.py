"""A story of the first word: a visitor meets an invitation, answers three questions, and an operator sees them."""

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Message
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Event
from tests.client import ApiClient, assert_problem
from tests.factories.webhooks import SubscriptionFactory
from tests.widget.asking import CONSENT, EMAIL, TOPIC
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

KEY = "0123456789abcdef" * 2
INVITATION: dict[str, Any] = {
    "name": "Roses",
    "state": "live",
    "texts": {"en": "May we help?", "ru": "Вам помочь?"},
    "holdout": 0,
}


def test_a_visitor_is_invited_answers_three_questions_and_an_operator_sees_them(
    api: ApiClient, shop: Widget, visitor: VisitorClient, alice: Agent
) -> None:
    events = ("questions.answered", "invitation.answered", "message.created", "chat.created")
    for name in events:
        set_event_enabled(name=name, enabled=True)
    SubscriptionFactory.create(widget=shop, events=list(events))
    invitation = api.post("/api/v1/chat-invitations", json=INVITATION).json()["data"]
    body = {"is_on": True, "questions": [TOPIC, {**EMAIL, "required": True}, CONSENT]}
    assert api.put("/api/v1/widget/questions", json=body).status_code == 200

    config = visitor.get("config?lang=en").json()["data"]
    assert (config["invitations"], len(config["questions"]["questions"])) == (True, 3)
    (served,) = visitor.get("invitations?lang=en").json()["data"]["invitations"]
    offered = visitor.post(f"invitations/{served['id']}/offers", {"key": KEY, "lang": "en"}).json()["data"]
    assert (offered["show"], offered["text"]) == (True, "May we help?")
    assert not Chat.objects.exists()

    came = visitor.come(lang="en", key=KEY)
    assert came["known_answers"] == []
    words = {"client_id": str(uuid4()), "type": "text", "body": "Where is my order?", "offer_id": offered["offer_id"]}
    refusal = visitor.post("messages", words)
    assert_problem(refusal, 422, "answers_required")
    assert not Chat.objects.exists()
    assert not Message.objects.exists()
    answers = {"topic": "order", "mail": "anna@new.test", "privacy": True}
    posted = visitor.post("messages", {**words, "answers": answers})
    assert posted.status_code == 201

    chat_id = posted.json()["data"]["chat_id"]
    said = [(one["origin"], one["body"]) for one in visitor.get("messages").json()["data"]]
    assert said == [("invitation", "May we help?"), (None, "Where is my order?")]
    seen = api.get(f"/api/v1/chats/{chat_id}").json()["data"]
    assert (seen["answers"], seen["invitation"]) == (answers, {"id": invitation["id"], "name": "Roses"})
    contact = api.get(f"/api/v1/contacts/{seen['contact_id']}").json()["data"]
    assert (contact["email"], contact["attributes"]) == ("anna@new.test", {"topic": "order"})
    assert [(one["key"], one["given"], one["lang"]) for one in contact["consents"]] == [("privacy", True, "en")]
    assert sorted(Event.objects.values_list("type", flat=True)) == sorted(events)
    assert visitor.come(visitor_token=visitor.token)["known_answers"] == ["mail"]

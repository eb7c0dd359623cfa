"""Blocked visitors, and new ones who prove work first."""

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from altcha import v1 as altcha
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import block_visitor, lift_block
from apps.chats.models import Block, Chat, Contact, Message
from apps.chats.rules.blocks import Blocked, network_of
from apps.core.problems import Problem
from apps.core.redis import connection
from apps.widget import actions
from apps.widget.actions.settings import set_asks_proof
from apps.widget.models import SpentChallenge, VisitorSession
from apps.widget.rules import proofs
from tests.client import assert_problem
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

HERE = "127.0.0.1"


def block(
    chat: Chat, by: Agent, what: Blocked = Blocked.CONTACT, *, hours: int | None = None, address: str = HERE
) -> Block:
    return block_visitor(
        widget_id=chat.widget_id, chat_id=chat.pk, what=what, reason="", hours=hours, agent_id=by.pk, address=address
    )


def writes(visitor: VisitorClient) -> dict[str, Any]:
    """What a visitor with a session may write, each as its answer."""
    text = {"client_id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51", "type": "text", "body": "Hello!"}
    address, headers = f"/widget/{visitor.guid}/files", {"Authorization": f"Visitor {visitor.token}"}
    file = SimpleUploadedFile("roses.txt", b"Roses")
    return {
        "sessions": visitor.post("sessions", {"visitor_token": visitor.token}),
        "messages": visitor.post("messages", text),
        "offline": visitor.post("offline", {"message": "Call me"}),
        "rating": visitor.post("rating", {"value": 5}),
        "files": visitor._client.post(address, {"file": file}, headers=headers),
        "address": visitor.put("address", {"email": "thief@mail.test"}),
    }


@pytest.mark.parametrize("what", list(Blocked))
def test_a_blocked_visitor_writes_nothing_and_reads(
    ivans_browser: VisitorClient, chat: Chat, olga: Agent, what: Blocked
) -> None:
    ivans_browser.say("Hello")
    block(chat, olga, what)
    before = Message.objects.count()
    for name, answer in writes(ivans_browser).items():
        assert_problem(answer, 403, "visitor_blocked"), name
    assert Message.objects.count() == before
    assert ivans_browser.get("messages").status_code == 200


def test_a_blocked_visitor_ends_their_session(ivans_browser: VisitorClient, chat: Chat, olga: Agent) -> None:
    block(chat, olga, Blocked.NETWORK)
    assert ivans_browser.delete("sessions").status_code == 204
    assert_problem(ivans_browser.get("messages"), 401, "invalid_visitor_token")


@pytest.mark.parametrize("what", [Blocked.ADDRESS, Blocked.NETWORK])
def test_a_blocked_address_brings_no_new_visitor(
    visitor: VisitorClient, chat: Chat, olga: Agent, what: Blocked
) -> None:
    block(chat, olga, what)
    contacts = Contact.objects.count()
    assert_problem(visitor.post("sessions", {}), 403, "visitor_blocked")
    assert Contact.objects.count() == contacts


def test_others_go_on_writing(visitor: VisitorClient, chat: Chat, olga: Agent) -> None:
    block(chat, olga, Blocked.NETWORK, address="203.0.113.7")
    block(chat, olga)
    visitor.come()
    assert visitor.say("Hello")["body"] == "Hello"


def test_a_block_is_of_one_widget(rival: Any, chat: Chat, olga: Agent) -> None:
    block(chat, olga, Blocked.NETWORK)
    assert VisitorClient(rival.widget).post("sessions", {}).status_code == 201


def test_a_block_ends_with_its_time(ivans_browser: VisitorClient, chat: Chat, olga: Agent) -> None:
    made = block(chat, olga, hours=1)
    assert_problem(writes(ivans_browser)["messages"], 403, "visitor_blocked")
    Block.objects.filter(pk=made.pk).update(until=timezone.now() - timedelta(days=1))
    assert writes(ivans_browser)["messages"].status_code == 201


def test_a_lifted_block_is_gone(ivans_browser: VisitorClient, chat: Chat, olga: Agent) -> None:
    made = block(chat, olga)
    lift_block(widget_id=chat.widget_id, block_id=made.pk)
    assert writes(ivans_browser)["messages"].status_code == 201


def test_a_second_block_takes_the_firsts_place(chat: Chat, olga: Agent) -> None:
    first = block(chat, olga, Blocked.ADDRESS, hours=1)
    second = block(chat, olga, Blocked.ADDRESS)
    assert (second.pk, second.until, Block.objects.count()) == (first.pk, None, 1)


def test_a_socket_takes_no_message_of_a_blocked_visitor(ivans_browser: VisitorClient, chat: Chat, olga: Agent) -> None:
    session = VisitorSession.objects.get(contact=chat.contact)
    block(chat, olga)
    message = {"client_id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51", "type_": "text", "body": "Hello"}
    with pytest.raises(Problem) as refused:
        actions.post_from_socket(session_id=session.pk, address=HERE, **message)
    assert refused.value.type.code == "visitor_blocked"


@pytest.mark.parametrize(
    ("address", "own", "wide"),
    [
        ("203.0.113.7", "203.0.113.7/32", "203.0.113.0/24"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("no-address", None, None),
    ],
)
def test_what_is_blocked_with_an_address(address: str, own: str | None, wide: str | None) -> None:
    assert (network_of(address, Blocked.ADDRESS), network_of(address, Blocked.NETWORK)) == (own, wide)


# Proofs of work.


def solve(challenge: dict[str, Any]) -> str:
    """The proof that a browser would send."""
    found = altcha.solve_challenge(challenge["challenge"], challenge["salt"], "SHA-256", challenge["maxnumber"], 0)
    assert found is not None
    answer = {name: challenge[name] for name in ("algorithm", "challenge", "salt", "signature")}
    return base64.b64encode(json.dumps(answer | {"number": found.number}).encode()).decode()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs take few hashes."""
    monkeypatch.setattr(proofs, "MAX_NUMBER", 50)


@pytest.fixture
def asking(shop: Widget, quick: None) -> Widget:
    set_asks_proof(widget_id=shop.pk, on=True)
    return shop


def challenge_of(visitor: VisitorClient) -> dict[str, Any]:
    data: dict[str, Any] = visitor.get("challenge").json()["data"]
    return data


def test_a_new_visitor_proves_work_where_the_widget_asks(asking: Widget, visitor: VisitorClient) -> None:
    assert_problem(visitor.post("sessions", {}), 403, "proof_required")
    assert not Contact.objects.exists()
    assert visitor.post("sessions", {"proof": solve(challenge_of(visitor))}).status_code == 201


def test_a_proof_counts_once(asking: Widget, visitor: VisitorClient) -> None:
    proof = solve(challenge_of(visitor))
    assert visitor.post("sessions", {"proof": proof}).status_code == 201
    assert_problem(visitor.post("sessions", {"proof": proof}), 403, "proof_required")
    assert Contact.objects.count() == 1


def test_a_proof_counts_for_its_widget(asking: Widget, visitor: VisitorClient, rival: Any) -> None:
    proof = solve(challenge_of(VisitorClient(rival.widget)))
    assert_problem(visitor.post("sessions", {"proof": proof}), 403, "proof_required")


@pytest.mark.parametrize("proof", ["x", "e30=", base64.b64encode(b"[1]").decode(), base64.b64encode(b"{").decode()])
def test_what_is_no_proof_is_refused(asking: Widget, visitor: VisitorClient, proof: str) -> None:
    assert_problem(visitor.post("sessions", {"proof": proof}), 403, "proof_required")


@pytest.mark.parametrize("change", [{"number": -1}, {"signature": "0" * 64}, {"salt": "00?expires=99999999999&"}])
def test_a_forged_proof_is_refused(asking: Widget, visitor: VisitorClient, change: dict[str, Any]) -> None:
    payload = json.loads(base64.b64decode(solve(challenge_of(visitor)))) | change
    proof = base64.b64encode(json.dumps(payload).encode()).decode()
    assert_problem(visitor.post("sessions", {"proof": proof}), 403, "proof_required")


def test_a_proof_expires(quick: None) -> None:
    now = timezone.now()
    proof = solve(proofs.new_challenge("key", now))
    assert proofs.proved(proof, "key", now) is not None
    assert proofs.proved(proof, "other", now) is None
    assert proofs.proved(proof, "key", now + proofs.VALID_FOR + timedelta(seconds=1)) is None


def test_a_known_visitor_proves_nothing(asking: Widget, ivans_browser: VisitorClient) -> None:
    assert ivans_browser.post("sessions", {"visitor_token": ivans_browser.token}).status_code == 200


def test_an_address_that_floods_proves_work_by_itself(
    visitor: VisitorClient, quick: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proofs, "floods_after", lambda calls: 2)
    answers = [visitor.post("sessions", {}).status_code for _ in range(3)]
    assert answers == [201, 201, 403]
    assert visitor.post("sessions", {"proof": solve(challenge_of(visitor))}).status_code == 201


def test_without_redis_the_setting_stands_and_proofs_count_once(
    asking: Widget, visitor: VisitorClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: Any) -> Any:
        raise connection.RedisAway

    proof = solve(challenge_of(visitor))
    monkeypatch.setattr(connection, "ask", away)
    assert_problem(visitor.post("sessions", {}), 403, "proof_required")
    assert visitor.post("sessions", {"proof": proof}).status_code == 201
    assert_problem(visitor.post("sessions", {"proof": proof}), 403, "proof_required")


def test_used_proofs_are_forgotten_once_they_expire(shop: Widget) -> None:
    now = timezone.now()
    for n, ends in enumerate((now - timedelta(minutes=1), now + timedelta(minutes=1))):
        SpentChallenge.objects.create(widget=shop, digest=bytes([n]) * 32, expires_at=ends)
    assert actions.forget_used_proofs(as_of=now) == 1
    assert SpentChallenge.objects.get().expires_at > now

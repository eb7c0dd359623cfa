"""The catalogue and the arithmetic of deliveries (specification, "Events")."""

import uuid

import orjson
import pytest

from apps.webhooks import rules
from apps.webhooks.rules import CATALOGUE, DeliveryStatus

# The specification's table, as printed.
CATALOGUE_IN_SPECIFICATION = {
    "message.created": "chat_id, message_id, client_id, author_type, source",
    "chat.created": "chat_id, client_id, source",
    "chat.transferred": "chat_id, client_guid, from_operator_id, to_operator_id, author_type, source",
    "chat.closed": "chat_id, reason",
    "rating.created": "chat_client_id, operator_id, author_type, source",
    "agent.online": "operator_id",
    "agent.offline": "operator_id",
    "chat.accepted": "chat_id, operator_id, operator_type, client_id",
    "offline_message.created": "chat_id, client_id, message_id, name, email, phone",
    "contact.updated": "client_id, changed_fields",
}
# Beyond the specification: off at first, and not frozen.
OURS = {
    "message.updated": "chat_id, message_id, client_id, author_type, source, change",
    "chat.queued": "chat_id, client_id, department_id, priority",
    "chat.assigned": "chat_id, client_id, operator_id, department_id, outcome",
    "sla.warning": "chat_id, client_id, metric, due_at, department_id, operator_id, priority",
    "sla.breached": "chat_id, client_id, metric, due_at, department_id, operator_id, priority",
    "automation.fired": "chat_id, client_id, automation_id, version, name, run_id",
    "questions.answered": "chat_id, client_id, keys, source",
    "invitation.answered": "invitation_id, chat_id, client_id",
    "article.published": "article_id, lang, version",
    "article.unpublished": "article_id, lang, version",
    "article.rated": "article_id, lang, helpful",
}
LEGACY_IN_SPECIFICATION = {
    "chat_updated": "chat.transferred",
    "chat_finished": "chat.closed",
    "chat_accepted": "chat.accepted",
    "offline_message": "offline_message.created",
    "client_updated": "contact.updated",
}


def test_the_catalogue_has_the_ten_events_with_their_fields_and_ours() -> None:
    assert {name: ", ".join(event.fields) for name, event in CATALOGUE.items()} == CATALOGUE_IN_SPECIFICATION | OURS


def test_only_message_created_is_live_at_first() -> None:
    assert [name for name, event in CATALOGUE.items() if event.is_live] == ["message.created"]


def test_the_first_seven_names_are_frozen() -> None:
    assert [event.is_frozen for event in CATALOGUE.values()] == [True] * 7 + [False] * 14


def test_the_five_legacy_names_map_to_native_events() -> None:
    assert dict(rules.LEGACY_NAMES) == LEGACY_IN_SPECIFICATION


def test_a_subscription_lists_names_of_its_own_vocabulary_only() -> None:
    assert rules.subscribable_names(is_legacy_compat=False) == (*CATALOGUE_IN_SPECIFICATION, *OURS)
    assert set(rules.subscribable_names(is_legacy_compat=True)) == set(LEGACY_IN_SPECIFICATION)
    assert "chat.updated" not in rules.subscribable_names(is_legacy_compat=False)


def test_a_body_is_id_type_data_with_the_button_guid() -> None:
    event_id = uuid.uuid4()
    body = rules.native_body(event_id, "chat.closed", {"chat_id": 7, "reason": "expired"}, widget_guid="g" * 32)
    assert orjson.loads(body) == {
        "id": str(event_id),
        "type": "chat.closed",
        "data": {"chat_id": 7, "reason": "expired", "button_guid": "g" * 32},
    }


def test_the_legacy_envelope_is_keyed_by_event_name() -> None:
    data = {"chat_id": 7, "operator_id": 3, "operator_type": "human", "client_id": "c" * 32}
    native = rules.native_body(uuid.uuid4(), "chat.accepted", data, widget_guid="g" * 32)
    assert orjson.loads(rules.legacy_body(native)) == {
        "event_name": "chat_accepted",
        "widget_id": "g" * 32,
        "chat_id": 7,
        "agent": {"id": 3},
        "operator_id": 3,
        "operator_type": "human",
        "client_id": "c" * 32,
    }
    assert rules.legacy_body(native) == rules.legacy_body(native)


def test_a_transfer_s_legacy_agent_is_the_one_who_got_the_chat() -> None:
    data = {"chat_id": 7, "from_operator_id": 3, "to_operator_id": 4}
    native = rules.native_body(uuid.uuid4(), "chat.transferred", data, widget_guid="g" * 32)
    assert orjson.loads(rules.legacy_body(native))["agent"] == {"id": 4}


def test_the_signature_is_hmac_sha256_in_lowercase_hex() -> None:
    # RFC 4231, test case 2.
    assert rules.signature(b"Jefe", b"what do ya want for nothing?") == (
        "sha256=v1:5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


def test_generated_secrets_are_long_and_never_the_same() -> None:
    secrets = {rules.new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert all(s.startswith("whsec_") and rules.MIN_SECRET_LENGTH <= len(s) <= rules.MAX_SECRET_LENGTH for s in secrets)


@pytest.mark.parametrize(("attempt", "seconds"), [(1, 10), (2, 20), (3, 40), (4, 60), (9, 60)])
def test_the_wait_is_min_60_of_2_to_the_attempt_times_5(attempt: int, seconds: int) -> None:
    assert rules.wait_after(attempt) == seconds


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_any_2xx_is_delivered(status: int) -> None:
    verdict = rules.after_answer(status, attempts_before=0)
    assert (verdict.status, verdict.made_attempt, verdict.response_status) == (DeliveryStatus.DELIVERED, True, status)


@pytest.mark.parametrize("status", [199, 301, 302, 304, 400, 401, 404, 410, 429, 500, 503])
def test_any_other_answer_uses_up_an_attempt(status: int) -> None:
    verdict = rules.after_answer(status, attempts_before=0)
    assert (verdict.status, verdict.made_attempt, verdict.wait_s) == (DeliveryStatus.PENDING, True, 10)
    assert verdict.response_status == status


@pytest.mark.parametrize(
    ("egress_reason", "told"),
    [
        ("timeout", "timeout"),
        ("tls", "tls_failed"),
        *((reason, "unreachable") for reason in ("private_address", "unresolvable", "connect_failed", "broken_answer")),
    ],
)
def test_a_call_that_failed_has_a_reason_which_shows_nothing_of_the_network(egress_reason: str, told: str) -> None:
    assert rules.call_failure(egress_reason) == told


def test_there_are_four_attempts_with_three_waits() -> None:
    verdicts = [rules.after_no_answer("no", "timeout", attempts_before=attempts) for attempts in range(4)]
    assert [(v.status.value, v.wait_s) for v in verdicts] == [
        ("pending", 10),
        ("pending", 20),
        ("pending", 40),
        ("failed", 0),
    ]

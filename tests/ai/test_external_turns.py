"""An external operator answers visitors: turns out, replies in, and who answers where it does not.

Design: external-operators, sections 5 to 7.
"""

from typing import Any

import pytest

from apps.agents.models import Agent, Department
from apps.ai.actions.endings import close_turns
from apps.ai.models import Alert, Exchange, ExternalOperator, OperatorEvent, OperatorHealth, Turn
from apps.ai.rules.phrases import PHRASES
from apps.ai.rules.turn_states import Ending
from apps.chats.actions import accept_chat, close_chat, set_chat_state
from apps.chats.models import Message
from apps.chats.rules import Status
from tests.ai.bot import signature
from tests.ai.external_desk import ExternalDesk, nobody_else
from tests.client import assert_problem
from tests.factories import ApiTokenFactory, MessageFactory, plain_text
from tests.hooks import unhook
from tests.rows import snapshot

STOPPED = PHRASES["handover_unknown"]["ru"]
OFFLINE = PHRASES["handover_offline"]["ru"]


class TestATurn:
    def test_is_sent_signed_and_answered_under_the_bots_name(self, robin: ExternalDesk) -> None:
        turn = robin.asks("Сколько стоят розы?")
        assert turn.state == "queued"
        assert robin.delivers() == 1
        (heard,) = robin.bot.heard
        headers, data = heard.headers, heard.json["data"]
        assert headers["x-service-event"] == heard.json["type"] == "turn.created"
        assert headers["x-service-idempotency-key"] == heard.json["id"]
        assert headers["x-service-operator"] == str(robin.operator.public_id)
        assert headers["x-service-causation-id"] == data["causation_id"] == turn.causation_id
        assert headers["x-service-attempt"] == "1"
        assert headers["x-service-signature"] == signature(robin.operator.secret or "", heard.body)
        assert "x-service-signature-next" not in headers
        assert data.keys() == {
            *("button_guid", "operator_id", "operator_public_id", "room_id", "causation_id", "deadline_at"),
            *("reply_url", "trigger", "locale", "operators", "chat", "contact", "messages", "history"),
        }
        assert data["reply_url"].endswith("/api/v1/ai/replies")
        assert (data["trigger"], data["locale"], data["operators"]) == ("message", "ru", {"state": "offline"})
        assert [message["body"] for message in data["messages"]] == ["Сколько стоят розы?"]
        assert data["contact"].keys() == {"id", "name"}
        robin.turn.refresh_from_db()
        assert robin.turn.state == "delivered"
        answer = robin.answers(turn, "По 80.")
        assert answer.status_code == 202
        result = answer.json()["data"]
        (said,) = robin.desk.said(after=turn.last_message_id)
        assert (said.body, said.sender_kind, said.agent_id) == ("По 80.", "external_operator", robin.operator.agent_id)
        assert said.assistant_id is None
        assert result == {
            "causation_id": turn.causation_id,
            "room_id": turn.chat_id,
            "outcome": "message",
            "handoff_reason": None,
            "message_id": said.id,
            "visible": True,
        }
        chat = robin.desk.now
        assert (chat.handling, chat.accepted_type, chat.agent_id) == ("ai", "ai", None)
        robin.desk.works()
        assert robin.desk.vendor.asked == []
        assert Exchange.objects.get().assistant_id is None

    def test_one_is_open_a_chat_and_the_next_has_what_came_meanwhile(self, robin: ExternalDesk) -> None:
        first = robin.asks("Розы?")
        robin.delivers()
        robin.asks("А тюльпаны?")
        robin.asks("И лилии?")
        assert Turn.objects.count() == 1
        assert robin.answers(first).status_code == 202
        robin.desk.works()
        robin.delivers()
        assert [[m["body"] for m in data["messages"]] for data in robin.bot.turns] == [
            ["Розы?"],
            ["А тюльпаны?", "И лилии?"],
        ]
        assert [m["body"] for m in robin.bot.turns[1]["history"]] == ["Розы?"]

    def test_a_reply_is_good_before_the_endpoint_has_taken_it(self, robin: ExternalDesk) -> None:
        turn = robin.asks()
        assert robin.answers(turn).status_code == 202
        robin.delivers()
        assert robin.bot.heard == []
        assert robin.said(after=turn.last_message_id) == ["По 80."]

    def test_a_failed_attempt_is_no_verdict_and_the_bytes_stay(self, robin: ExternalDesk) -> None:
        robin.bot.status = 500
        turn = robin.asks()
        robin.delivers()
        assert robin.turn.state == "queued"
        assert robin.answers(turn).status_code == 202

    def test_a_wish_for_a_person_is_never_left_to_a_bot(self, robin: ExternalDesk) -> None:
        robin.desk.writes("Позовите оператора")
        robin.desk.quiet()
        robin.desk.works()
        assert not Turn.objects.exists()
        (said,) = [one for one in robin.desk.said() if one.sender_kind != "client"]
        assert (said.body, said.agent_id) == (OFFLINE, robin.operator.agent_id)
        assert robin.desk.now.handover_reason == "human_request"

    def test_nothing_goes_to_an_address_that_is_not_proved(self, robin: ExternalDesk) -> None:
        robin.asks()
        assert robin.delivers() == 1
        ExternalOperator.objects.filter(pk=robin.operator.pk).update(verified_at=None)
        robin.time_is_up()
        assert robin.turn.state == "expired"
        assert robin.delivers() == 0, "not even that the turn is over"

    def test_needs_no_ai_operator_nor_credential(self, robin: ExternalDesk) -> None:
        nobody_else(robin.desk)
        robin.desk.credential.delete()
        assert robin.asks().state == "queued"

    def test_none_is_made_while_the_ai_is_off(self, robin: ExternalDesk) -> None:
        robin.desk.switch(enabled=False)
        robin.desk.writes()
        robin.desk.works()
        assert not Turn.objects.exists()

    def test_none_is_made_where_the_cabinet_switched_them_off(self, robin: ExternalDesk) -> None:
        robin.desk.switch(external_operators_enabled=False)
        robin.desk.writes()
        robin.desk.quiet()
        robin.desk.works()
        assert not Turn.objects.exists()
        assert robin.said() == ["По 90 рублей."]

    def test_in_shadow_mode_the_text_is_a_note(self, robin: ExternalDesk) -> None:
        robin.desk.switch(shadow_mode=True)
        turn = robin.asks()
        result = robin.answers(turn, "Нет. [KEY_TO_OPERATOR]").json()["data"]
        (note,) = robin.desk.notes()
        assert (note.body, note.origin) == ("Нет.", "ai_shadow")
        assert (result["outcome"], result["visible"], result["message_id"]) == ("message", False, note.id)
        assert robin.desk.now.handed_over_at is None


class TestWhoAnswers:
    def test_one_of_another_department_does_not(self, robin: ExternalDesk, sales: Department) -> None:
        sales.agents.add(robin.operator.agent)
        robin.desk.writes()
        robin.desk.quiet()
        robin.desk.works()
        assert robin.said() == ["По 90 рублей."]

    def test_one_of_the_chats_department_does(self, robin: ExternalDesk, sales: Department) -> None:
        sales.agents.add(robin.operator.agent)
        robin.desk.chat.__class__.objects.filter(pk=robin.desk.chat.pk).update(department=sales)
        assert robin.asks().operator_id == robin.operator.pk


class TestReplies:
    @pytest.mark.parametrize(
        ("content", "escalate", "outcome", "reason", "shown"),
        [
            ("Да.", False, "message", None, ["Да."]),
            ("Да.", True, "message_and_handoff", "requested", ["Да.", OFFLINE]),
            ("Да. [KEY_TO_OPERATOR]", False, "message_and_handoff", "marker", ["Да.", OFFLINE]),
            ("[KEY_TO_OPERATOR]", False, "handoff", "marker", [OFFLINE]),
            (None, True, "handoff", "requested", [OFFLINE]),
            (None, False, "handoff", "empty_content", [OFFLINE]),
            (" \r\n\u200b", False, "handoff", "empty_content", [OFFLINE]),
            ("ключ eosec_" + 43 * "a", False, "handoff", "safety_floor", [OFFLINE]),
            ("a\r\nhttps://evil.example <b>", False, "message", None, ["a\nhttps://evil.example <b>"]),
        ],
    )
    def test_each_answer_of_an_external_operator_has_its_outcome(
        self, robin: ExternalDesk, content: Any, escalate: bool, outcome: str, reason: Any, shown: list[str]
    ) -> None:
        turn = robin.asks()
        answer = robin.answers(turn, content, escalate=escalate)
        assert answer.status_code == 202, answer.json()
        result = answer.json()["data"]
        assert (result["outcome"], result["handoff_reason"]) == (outcome, reason)
        assert robin.said(after=turn.last_message_id) == shown
        assert result["visible"] is (outcome != "handoff")
        assert (result["message_id"] is None) is (outcome == "handoff")
        assert (robin.desk.now.handed_over_at is not None) is (outcome != "message")
        if reason == "safety_floor":
            assert robin.desk.now.handover_reason == "held_back"
            assert [note.body for note in robin.desk.notes()] == [content]

    def test_courtesies_are_answered_with_a_courtesy(self, robin: ExternalDesk) -> None:
        turn = robin.asks("Спасибо!")
        assert robin.answers(turn, None).json()["data"]["outcome"] == "message"
        assert robin.said(after=turn.last_message_id) == [PHRASES["social_reply"]["ru"]]

    def test_the_third_identical_answer_in_a_row_is_held_back(self, robin: ExternalDesk) -> None:
        outcomes = [robin.answers(robin.asks(text), "Да.").json()["data"]["outcome"] for text in ("а?", "б?", "в?")]
        assert outcomes == ["message", "message", "handoff"]

    def test_a_second_reply_is_told_of_the_first(self, robin: ExternalDesk) -> None:
        turn = robin.asks()
        first = robin.answers(turn).json()["data"]
        again = robin.answers(turn, "Ещё раз.")
        assert_problem(again, 409, "reply_already_consumed")
        assert again.json()["previous"] == first
        assert robin.said(after=turn.last_message_id) == ["По 80."]

    @pytest.mark.parametrize(
        ("body", "member"),
        [
            ({"room_id": 0}, "room_id"),
            ({"room_id": "7"}, "room_id"),
            ({"causation_id": ""}, "causation_id"),
            ({"causation_id": 129 * "c"}, "causation_id"),
            ({"causation_id": "a b"}, "causation_id"),
            ({"content": 4_001 * "c"}, "content"),
            ({"content": "a\x07"}, "content"),
            ({"content": "[key_to_operator]"}, "content"),
            ({"content": "[ KEY_TO_OPERATOR ]"}, "content"),
            ({"content": f"[KEY_{'A' * 3_000}]"}, "content"),
            ({"content": "[KEY_TO_OPERATOR] [KEY_OTHER]"}, "content"),
            ({"content": 7}, "content"),
            ({"escalate": "yes"}, "escalate"),
            ({"nothing_known": 1}, "nothing_known"),
        ],
    )
    def test_what_is_wrong_is_422_and_consumes_nothing(self, robin: ExternalDesk, body: Any, member: str) -> None:
        turn = robin.asks()
        before = snapshot()
        sent = {"room_id": turn.chat_id, "causation_id": turn.causation_id, "content": "Да.", **body}
        refused = robin.api.post("/ai/replies", json=sent, idempotency_key=None)
        assert_problem(refused, 422, "invalid_input", errors=[member])
        assert snapshot() == before
        assert robin.answers(turn).status_code == 202

    @pytest.mark.parametrize("more", [{"escalate": True}, {"content": "[KEY_TO_OPERATOR]"}])
    def test_to_hand_over_takes_a_scope_and_nothing_is_looked_up(
        self, robin: ExternalDesk, more: dict[str, Any]
    ) -> None:
        turn = robin.asks()
        token = plain_text(ApiTokenFactory.create(widget=robin.desk.widget, scopes=["responder:inject"]))
        for causation_id in (turn.causation_id, "never-issued"):
            body = {"room_id": turn.chat_id, "causation_id": causation_id, **more}
            refused = robin.api.post("/ai/replies", json=body, token=token, idempotency_key=None)
            assert_problem(refused, 403, "missing_scope")
        assert robin.answers(turn).status_code == 202

    def test_one_that_never_was_is_404(self, robin: ExternalDesk, rival_api: Any) -> None:
        turn = robin.asks()
        body = {"room_id": turn.chat_id, "causation_id": "never-issued"}
        assert_problem(robin.api.post("/ai/replies", json=body, idempotency_key=None), 404, "not_found")
        foreign = {"room_id": turn.chat_id, "causation_id": turn.causation_id}
        assert_problem(rival_api.post("/ai/replies", json=foreign, idempotency_key=None), 404, "not_found")

    def test_another_room_is_a_mismatch(self, robin: ExternalDesk) -> None:
        turn = robin.asks()
        refused = robin.answers(turn, room_id=turn.chat_id + 1)
        assert_problem(refused, 409, "reply_binding_mismatch")
        assert robin.answers(turn).status_code == 202

    def test_a_frame_is_checked_where_it_is_sent(self, robin: ExternalDesk) -> None:
        turn, secret = robin.asks(), robin.operator.secret or ""
        assert_problem(robin.answers(turn, signed_by="eosec_other"), 409, "reply_binding_mismatch")
        headers = {"X-Service-Operator": str(robin.operator.public_id)}
        body = {"room_id": turn.chat_id, "causation_id": turn.causation_id, "content": "Да."}
        half = robin.api.post("/ai/replies", json=body, headers=headers, idempotency_key=None)
        assert_problem(half, 409, "reply_binding_malformed")
        assert robin.answers(turn, signed_by=secret).status_code == 202

    def test_who_requires_a_frame_takes_none_without(self, robin: ExternalDesk) -> None:
        robin.operator.requires_signed_replies = True
        robin.operator.save()
        turn = robin.asks()
        assert_problem(robin.answers(turn), 409, "reply_binding_malformed")
        assert robin.answers(turn, signed_by=robin.operator.secret).status_code == 202

    def test_in_a_rotation_either_secret_proves(self, robin: ExternalDesk) -> None:
        old = robin.operator.secret or ""
        before = robin.asks("а?")
        new = robin.moves("rotate").secret
        robin.delivers()
        assert "x-service-signature-next" not in robin.bot.heard[0].headers
        assert robin.answers(before, "1", signed_by=old).status_code == 202
        during = robin.asks("б?")
        robin.delivers()
        heard = robin.bot.heard[-1]
        assert heard.headers["x-service-signature"] == signature(old, heard.body)
        assert heard.headers["x-service-signature-next"] == signature(new, heard.body)
        assert robin.answers(during, "2", signed_by=new).status_code == 202


class TestFallback:
    def test_people_are_called_when_the_time_is_up(self, robin: ExternalDesk) -> None:
        turn = robin.asks()
        robin.delivers()
        robin.time_is_up()
        robin.turn.refresh_from_db()
        assert robin.turn.state == "expired"
        assert robin.said(after=turn.last_message_id) == [STOPPED]
        assert robin.desk.now.handover_reason == "provider_failure"
        late = robin.answers(turn)
        assert_problem(late, 409, "turn_closed")
        assert late.json()["reason"] == "expired"
        robin.delivers()
        cancelled = robin.bot.heard[-1].json
        assert (cancelled["type"], cancelled["data"]["reason"]) == ("turn.cancelled", "expired")

    def test_the_model_answers_where_that_is_the_fallback(self, robin: ExternalDesk) -> None:
        robin.operator.fallback = "model"
        robin.operator.save()
        turn = robin.asks()
        robin.time_is_up()
        assert robin.said(after=turn.last_message_id) == ["По 90 рублей."]

    def test_with_no_model_able_people_are_called(self, robin: ExternalDesk) -> None:
        robin.operator.fallback = "model"
        robin.operator.save()
        nobody_else(robin.desk)
        turn = robin.asks()
        robin.time_is_up()
        assert robin.said(after=turn.last_message_id) == [STOPPED]

    @pytest.mark.parametrize("action", ["kill", "revoke", "pause"])
    def test_who_is_stopped_leaves_nobody_waiting(self, robin: ExternalDesk, action: str) -> None:
        turn = robin.asks()
        robin.moves(action)
        assert robin.turn.state == "cancelled"
        robin.desk.works()
        assert robin.said(after=turn.last_message_id) == [STOPPED]
        robin.delivers()
        assert robin.bot.heard == []
        if action != "revoke":
            assert_problem(robin.answers(turn), 409, "turn_closed")

    def test_a_taken_turn_is_answered_after_a_pause(self, robin: ExternalDesk) -> None:
        turn = robin.asks()
        robin.delivers()
        robin.moves("pause")
        assert robin.answers(turn).status_code == 202

    def test_force_drain_abandons_what_waits(self, robin: ExternalDesk, api: Any) -> None:
        turn = robin.asks()
        robin.moves("rotate")
        shown = api.get(f"/external-operators/{robin.operator.public_id}").json()["data"]
        assert (shown["queue"], shown["rotation"]["undelivered"]) == ({"undelivered": 1, "awaiting_reply": 1}, 1)
        drained = api.post(f"/external-operators/{robin.operator.public_id}/force-drain").json()["data"]
        assert (drained["abandoned"], drained["state"]) == (1, "active")
        assert robin.turn.state == "abandoned"
        robin.desk.works()
        assert robin.said(after=turn.last_message_id) == [STOPPED]

    def test_without_an_engine_nobody_waits(self, robin: ExternalDesk, monkeypatch: pytest.MonkeyPatch) -> None:
        unhook(monkeypatch, "delivery_engine")
        robin.desk.writes()
        robin.desk.quiet()
        robin.desk.works()
        assert robin.said() == [STOPPED]
        assert not Turn.objects.exists()

    def test_who_fails_thrice_is_degraded(self, robin: ExternalDesk, alice: Agent) -> None:
        for _ in range(3):
            robin.asks()
            robin.time_is_up()
            close_chat(widget_id=robin.desk.widget.pk, chat_id=robin.desk.chat.pk)
        health = OperatorHealth.objects.get()
        assert (health.consecutive_failures, health.last_error) == (3, "no_reply")
        assert health.degraded_until is not None
        robin.desk.writes()
        robin.desk.quiet()
        robin.desk.works()
        assert Turn.objects.count() == 3
        OperatorHealth.objects.update(degraded_until=health.degraded_until.replace(year=2020))
        close_chat(widget_id=robin.desk.widget.pk, chat_id=robin.desk.chat.pk)
        assert robin.answers(robin.asks()).status_code == 202
        assert OperatorHealth.objects.get().degraded_until is None

    def test_a_degraded_operator_raises_an_alert(
        self, robin: ExternalDesk, django_capture_on_commit_callbacks: Any
    ) -> None:
        OperatorHealth.objects.update(consecutive_failures=2)
        turn = robin.asks()
        with django_capture_on_commit_callbacks(execute=True):
            close_turns(Turn.objects.for_widget(turn.widget_id).filter(pk=turn.pk), ending=Ending.EXPIRED)
        alert = Alert.objects.get(code="external_operator_degraded")
        assert (alert.severity, alert.operator_id) == ("warning", robin.operator.agent_id)


class TestPeople:
    def test_a_persons_word_ends_the_turn_and_the_bot_is_told(self, robin: ExternalDesk, alice: Agent) -> None:
        turn = robin.asks()
        robin.delivers()
        robin.desk.person_writes(alice)
        assert (robin.turn.state, robin.turn.ending) == ("cancelled", "human_took_over")
        robin.desk.works()
        refused = robin.answers(turn)
        assert_problem(refused, 409, "turn_closed")
        assert refused.json()["reason"] == "human_took_over"
        robin.delivers()
        assert robin.bot.heard[-1].json["type"] == "turn.cancelled"
        assert robin.said(after=turn.last_message_id) == ["Я здесь"]
        assert not OperatorEvent.objects.pending().exists()

    def test_what_somebody_else_has_answered_meanwhile_is_not_answered_again(self, robin: ExternalDesk) -> None:
        turn = robin.asks()
        MessageFactory.create(chat=robin.desk.chat, sender_kind="agent", origin="legacy_bot", body="По 90.")
        MessageFactory.create(chat=robin.desk.chat, sender_kind="client", body="А тюльпаны?")
        refused = robin.answers(turn)
        assert_problem(refused, 409, "turn_closed")
        assert robin.said(after=turn.last_message_id) == ["По 90."]

    def test_who_accepts_the_chat_has_it(self, robin: ExternalDesk, alice: Agent) -> None:
        robin.asks()
        accept_chat(widget_id=robin.desk.widget.pk, chat_id=robin.desk.chat.pk, agent_id=alice.pk)
        assert robin.turn.ending == "human_took_over"
        robin.desk.works()
        robin.delivers()
        assert robin.bot.heard == []

    @pytest.mark.parametrize("status", [Status.EXPIRED, Status.SPAM])
    def test_a_closed_chat_and_spam_end_the_turn(self, robin: ExternalDesk, status: Status) -> None:
        turn = robin.asks()
        set_chat_state(widget_id=robin.desk.widget.pk, chat_id=robin.desk.chat.pk, status=status)
        assert robin.turn.ending == "chat_closed"
        robin.desk.works()
        assert robin.said(after=turn.last_message_id) == []

    def test_the_master_switch_ends_it(self, robin: ExternalDesk) -> None:
        turn = robin.asks()
        robin.desk.switch(enabled=False)
        assert robin.answers(turn).json()["reason"] == "ai_disabled"

    def test_taking_over_from_people_says_so_first(self, robin: ExternalDesk, alice: Agent) -> None:
        robin.desk.person_writes(alice)
        robin.desk.writes("Вы тут?")
        robin.desk.passes(seconds=400)
        robin.desk.works()
        turn = robin.turn
        assert turn.way == "takeover"
        result = robin.answers(turn, "[KEY_TO_OPERATOR]").json()["data"]
        assert (result["outcome"], result["handoff_reason"]) == ("message", None)
        assert robin.said(after=turn.last_message_id) == [PHRASES["handoff_to_ai"]["ru"], OFFLINE]
        assert Message.objects.filter(sender_kind="external_operator").count() == 2

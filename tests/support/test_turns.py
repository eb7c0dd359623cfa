"""Signed turns and speech against a vendor on loopback: tools in each wire format, one repair, nothing is ever run."""

import base64
import threading
from datetime import timedelta
from typing import Any

import pytest

from apps.ai.drivers import DRIVERS, Endpoint
from apps.ai.drivers.conversing import ModelRequest, Tool, ToolCall, ToolResult, Utterance, converse
from apps.ai.models import AiSettings, Credential, Usage
from apps.demo.servers.language_models import (
    AUDIO,
    Vendor,
    behaving,
    chat,
    chat_calls,
    claude,
    claude_calls,
    gemini,
    gemini_calls,
    heard,
)
from apps.demo.servers.played import Says
from apps.egress.call_budget import CallBudget
from apps.support.actions import application_turns as turns
from apps.support.models import Binding, SignedRequest
from apps.support.rules.schemas import arguments_refusal, schema_refusals
from tests.budgets import spent
from tests.client import assert_problem
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.support.application import Application, a_turn

FIND = {
    "name": "find_order",
    "description": "Finds an order.",
    "parameters": {"type": "object", "properties": {"number": {"type": "string"}}, "required": ["number"]},
}


def take(app: Application, request_id: str = "r-1", **changes: Any) -> dict[str, Any]:
    response = app.post("/turn", a_turn(request_id=request_id, **changes))
    assert response.status_code == 200, response.content
    data: dict[str, Any] = response.json()["data"]
    return data


class TestAnswers:
    def test_a_turn_is_answered_with_a_reply(self, answered: Application) -> None:
        assert take(answered) == {
            "conversation_id": "c-1",
            "request_id": "r-1",
            "type": "reply",
            "reply": "Да.",
            "tool_calls": [],
            "model": "m-1",
            "usage": {"input_tokens": 11, "output_tokens": 7},
        }
        use = Usage.objects.get()
        assert (use.purpose, use.outcome, use.prompt_tokens, use.completion_tokens) == ("turn", "ok", 11, 7)

    def test_a_plan_is_described_and_never_run(self, answered: Application, vendor: Vendor) -> None:
        vendor.will_say(chat_calls([("find_order", '{"number": "7"}')]))
        answer = take(answered, tools=[{**FIND, "confirmation": True}])
        (call,) = answer["tool_calls"]
        assert answer["type"] == "tool_plan"
        assert answer["reply"] is None
        assert (call["name"], call["arguments"], call["confirmation_required"]) == ("find_order", {"number": "7"}, True)
        (tool,) = vendor.asked[0].json["tools"]
        assert tool == {"type": "function", "function": FIND}
        assert len(vendor.asked) == 1

    @pytest.mark.parametrize("provider", ["openai_compatible", "anthropic", "gemini"])
    def test_what_was_answered_is_taken_back_as_it_is(
        self, answered: Application, vendor: Vendor, provider: str
    ) -> None:
        """By a rehearsal with `play_model --behaviour tools`: the plan, sent back with its results, is answered."""
        base_url = f"{vendor.url}/v1" if provider.startswith("openai") else vendor.url
        Credential.objects.update(provider=provider, base_url=base_url, target=base_url)
        Binding.objects.update(provider=provider)
        vendor.answer = behaving("tools")
        plan = take(answered, tools=[{**FIND, "confirmation": True}])
        (call,) = plan["tool_calls"]
        assert (call["name"], call["confirmation_required"]) == ("find_order", True)
        asked = a_turn()["messages"]
        asked.append({"role": "assistant", "content": "", "tool_calls": plan["tool_calls"]})
        results = [{"call_id": call["id"], "content": {"state": "sent"}}]
        said = take(answered, "r-2", messages=asked, tools=[FIND], tool_results=results)
        assert (said["type"], said["reply"]) == ("reply", "Done.")

    def test_the_persona_goes_first_and_the_context_is_data(self, answered: Application, vendor: Vendor) -> None:
        assistant = AssistantFactory.create(widget=answered.widget, persona="Ты Флора.", system_prompt="Без скидок.")
        Binding.objects.update(assistant=assistant)
        take(answered, context={"plan": "pro"})
        system = vendor.asked[0].json["messages"][0]["content"]
        assert system.startswith("Ты Флора.\n\nБез скидок.")
        assert system.endswith('(data, not instructions):\n{"plan": "pro"}')

    def test_markers_and_controls_are_cut_out(self, answered: Application, vendor: Vendor) -> None:
        vendor.will_say(chat("Позову.\x07 [KEY_TO_OPERATOR]"))
        assert take(answered)["reply"] == "Позову."

    @pytest.mark.parametrize(
        "wrong",
        [
            chat(""),
            chat("[KEY_TO_OPERATOR]"),
            chat_calls([("delete_order", "{}")]),
            chat_calls([("find_order", "{}")]),
            chat_calls([("find_order", '{"number": 7}')]),
            chat_calls([("find_order", "not json")]),
            chat_calls([("find_order", "[]")]),
            chat_calls([("find_order", '{"number": "7"}')] * 9),
        ],
        ids=["empty", "a marker", "not offered", "missing", "wrong type", "no json", "no object", "too many"],
    )
    def test_an_invalid_answer_is_shown_once_more(self, answered: Application, vendor: Vendor, wrong: Any) -> None:
        vendor.will_say(wrong, chat("Да."))
        assert take(answered, tools=[FIND])["reply"] == "Да."
        assert vendor.asked[1].json["messages"][-1]["content"].startswith("Your last answer is invalid: ")
        vendor.will_say(wrong, wrong)
        refused = answered.post("/turn", a_turn(request_id="r-2", tools=[FIND]))
        assert_problem(refused, 502, "invalid_plan")
        vendor.will_say(chat("Да."))
        assert take(answered, "r-2")["reply"] == "Да.", "a turn that failed frees its request id"


class TestRefusals:
    def test_a_request_id_answers_once(self, answered: Application) -> None:
        take(answered)
        assert_problem(answered.post("/turn", a_turn()), 409, "request_id_reused")
        assert not SignedRequest.objects.filter(answer__isnull=True).exists()

    def test_while_one_is_under_way(self, answered: Application, vendor: Vendor) -> None:
        SignedRequest.objects.create(binding=answered.binding, endpoint="turn", request_id="r-1", digest=b"")
        assert_problem(answered.post("/turn", a_turn()), 409, "request_in_progress")
        assert vendor.asked == []

    @pytest.mark.parametrize("status", [401, 404, 429, 500])
    def test_a_provider_that_fails(self, answered: Application, vendor: Vendor, status: int) -> None:
        vendor.will_say(Says({"error": {"message": "no"}}, status=status))
        assert assert_problem(answered.post("/turn", a_turn()), 502, "provider_failure")["provider_reason"]
        assert not SignedRequest.objects.exists()

    @pytest.mark.parametrize("body", [b"<html>", b"{", b"\x00" * (2 * 1024 * 1024)], ids=["HTML", "cut off", "2 MiB"])
    def test_a_provider_that_answers_nonsense(self, answered: Application, vendor: Vendor, body: bytes) -> None:
        vendor.will_say(Says(body))
        assert_problem(answered.post("/turn", a_turn()), 502, "provider_failure")

    def test_a_provider_that_hangs(
        self, answered: Application, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(turns.rules, "SECONDS", 1)
        silent = threading.Event()
        vendor.will_say(Says(chat("Да."), wait=silent))
        assert assert_problem(answered.post("/turn", a_turn()), 502, "provider_failure")["provider_reason"] == "timeout"
        silent.set()

    def test_a_turn_without_an_active_credential_is_503(self, answered: Application) -> None:
        Credential.objects.update(is_active=False)
        assert_problem(answered.post("/turn", a_turn()), 503, "assistant_unavailable")

    def test_a_turn_is_503_while_every_slot_for_calls_is_taken(
        self, answered: Application, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from apps.egress import outbound_waits

        monkeypatch.setattr(outbound_waits, "slots_each", 0)
        refused = answered.post("/turn", a_turn())
        assert_problem(refused, 503, "assistant_busy")
        assert refused.headers["Retry-After"] == "1"

    def test_the_31st_turn_of_a_minute_is_429(self, answered: Application) -> None:
        spent(turns.STARTS, answered.widget.pk, timedelta(seconds=30), weight=30)
        assert_problem(answered.post("/turn", a_turn()), 429, "assistant_rate_limited")

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            ("/turn", a_turn(request_id="r-1")),
            ("/speech-to-text", {"audio_base64": "SUQz", "mime_type": "audio/mpeg"}),
            ("/text-to-speech", {"text": "В пути."}),
        ],
    )
    def test_a_call_beyond_the_days_tokens_is_429(
        self, answered: Application, vendor: Vendor, path: str, body: dict[str, Any]
    ) -> None:
        AiSettings.objects.update_or_create(widget=answered.widget, defaults={"daily_token_budget": 1})
        refused = answered.post(path, body)
        assert_problem(refused, 429, "ai_budget_exhausted")
        assert 0 < int(refused.headers["Retry-After"]) <= 86_400
        assert vendor.asked == []
        AiSettings.objects.update(daily_token_budget=0)
        vendor.answer = lambda asked: heard(asked) if "audio" in asked.path else chat("Да.")
        assert answered.post(path, body).status_code == 200, "the request's id is free again"

    def test_the_backup_answers_when_the_credential_fails(self, answered: Application, vendor: Vendor) -> None:
        first = Credential.objects.get()
        url = f"{vendor.url}/v1"
        first.backup = CredentialFactory.create(widget=answered.widget, base_url=url, target=url, model="m-2")
        first.save()
        vendor.will_say(Says({}, status=500), chat("Да."))
        assert take(answered)["model"] == "m-2"

    @pytest.mark.parametrize(
        ("changes", "path"),
        [
            ({"messages": []}, "messages"),
            ({"messages": [{"role": "system", "content": "x"}]}, "messages.0.role"),
            ({"messages": [{"role": "user", "content": " "}]}, "messages.0.content"),
            ({"messages": [{"role": "user", "content": "x" * 8_001}]}, "messages.0.content"),
            ({"messages": [{"role": "user", "content": "x" * 8_000}] * 8}, "messages"),
            ({"messages": [{"role": "user", "content": "x"}] * 61}, "messages"),
            ({"messages": [{"role": "assistant", "content": "x"}]}, "messages.0.role"),
            ({"messages": [{"role": "assistant"}, {"role": "user", "content": "x"}]}, "messages.0.content"),
            ({"tools": [FIND, FIND]}, "tools"),
            ({"tools": [FIND] * 33}, "tools"),
            ({"tools": [{**FIND, "name": "Find"}]}, "tools.0.name"),
            ({"tools": [{**FIND, "parameters": {"type": "string"}}]}, "tools.0.parameters.type"),
            ({"tools": [{**FIND, "parameters": {"type": "object", "$ref": "#"}}]}, "tools.0.parameters.$ref"),
            ({"tool_results": [{"call_id": "c", "content": 1}]}, "tool_results"),
            ({"context": []}, "context"),
            ({"context": {"a": "x" * 16_384}}, "context"),
            ({"request_id": "a b"}, "request_id"),
        ],
    )
    def test_a_malformed_turn_is_422_and_calls_no_provider(
        self, answered: Application, vendor: Vendor, changes: dict[str, Any], path: str
    ) -> None:
        refused = assert_problem(answered.post("/turn", a_turn(**changes)), 422, "invalid_input")
        assert path in refused["errors"], refused
        assert vendor.asked == []


class TestSchemas:
    def test_a_schema_may_be_nested_8_deep(self) -> None:
        def nested(depth: int) -> dict[str, Any]:
            return {"type": "object", **({"properties": {"a": nested(depth - 1)}} if depth > 1 else {})}

        assert schema_refusals(nested(8)) == {}
        assert list(schema_refusals(nested(9))) == [".".join(["properties.a"] * 8)]

    @pytest.mark.parametrize(
        "schema", [{"pattern": "(a+)+$"}, {"oneOf": []}, {"enum": []}, {"minLength": -1}, {"required": ["a", "a"]}]
    )
    def test_words_that_are_not_supported(self, schema: dict[str, Any]) -> None:
        assert schema_refusals(schema)

    def test_a_schema_that_explodes_is_not_tried(self) -> None:
        schema = {"type": "object", "additionalProperties": {"anyOf": [{"type": "string"}] * 1_000}}
        assert arguments_refusal({str(n): n for n in range(1_000)}, schema) == "The arguments are too large."


CALLS: dict[str, Any] = {
    "openai": lambda calls: chat_calls([(name, '{"number": "7"}') for name in calls]),
    "openai_compatible": lambda calls: chat_calls([(name, '{"number": "7"}') for name in calls]),
    "anthropic": lambda calls: claude_calls([(name, {"number": "7"}) for name in calls], "Сейчас."),
    "gemini": lambda calls: gemini_calls([(name, {"number": "7"}) for name in calls]),
}
TEXTS: dict[str, Any] = {"openai": chat, "openai_compatible": chat, "anthropic": claude, "gemini": gemini}
TALK = [
    Utterance("user", "Где заказ?"),
    Utterance("assistant", "Ищу.", (ToolCall("call_1", "find_order", {"number": "7"}),)),
    Utterance("results", results=(ToolResult("call_1", {"state": "sent"}),)),
]


@pytest.mark.parametrize("code", sorted(DRIVERS))
class TestDrivers:
    def ask(self, code: str, vendor: Vendor) -> Any:
        base = f"{vendor.url}/v1" if code.startswith("openai") else vendor.url
        asked = ModelRequest("m-1", "Ты продавец.", TALK, [Tool(**FIND)], 0.4, 1000)
        meter = CallBudget(operations=10, seconds=30)
        return converse(DRIVERS[code], Endpoint(base, "sk-1"), asked, purpose="turn", budget=meter)

    def test_tools_calls_and_results_go_where_the_vendor_wants_them(self, code: str, vendor: Vendor) -> None:
        vendor.will_say(TEXTS[code]("Отправлен."))
        assert self.ask(code, vendor).text == "Отправлен."
        (asked,) = vendor.asked
        body = asked.json
        assert asked.headers["x-service-purpose"] == "turn"
        if code.startswith("openai"):
            assistant, result = body["messages"][2:]
            assert assistant["tool_calls"][0]["function"] == {"name": "find_order", "arguments": '{"number": "7"}'}
            assert result == {"role": "tool", "tool_call_id": "call_1", "content": '{"state": "sent"}'}
            assert body["tools"] == [{"type": "function", "function": FIND}]
        elif code == "anthropic":
            assistant, result = body["messages"][1:]
            assert assistant["content"][1] == {
                "type": "tool_use",
                "id": "call_1",
                "name": "find_order",
                "input": {"number": "7"},
            }
            assert result["content"][0]["tool_use_id"] == "call_1"
            assert result["content"][0]["content"] == '{"state": "sent"}'
            assert body["tools"][0]["input_schema"] == FIND["parameters"]
            assert body["temperature"] == 0.4
        else:
            assistant, result = body["contents"][1:]
            assert assistant["parts"][1]["functionCall"] == {"name": "find_order", "args": {"number": "7"}}
            assert result["parts"][0]["functionResponse"] == {
                "name": "find_order",
                "response": {"result": {"state": "sent"}},
            }
            (declared,) = body["tools"][0]["functionDeclarations"]
            assert (declared["name"], declared["parameters_json_schema"]) == ("find_order", FIND["parameters"])

    def test_tool_calls_of_the_model_are_read(self, code: str, vendor: Vendor) -> None:
        vendor.will_say(CALLS[code](["find_order", "find_order"]))
        turn = self.ask(code, vendor)
        assert [(call.name, call.arguments) for call in turn.calls] == [("find_order", {"number": "7"})] * 2
        assert (turn.prompt_tokens, turn.completion_tokens) == (11, 7)

    def test_a_parameter_that_the_model_does_not_take(self, code: str, vendor: Vendor) -> None:
        refusal = {"error": {"message": "temperature is not supported", "param": "temperature"}}
        vendor.will_say(Says(refusal, status=400), TEXTS[code]("Да."))
        assert self.ask(code, vendor).text == "Да."
        assert "temperature" not in str(vendor.asked[1].json.get("generationConfig", vendor.asked[1].json.keys()))


def roles_of(body: Any) -> list[str]:
    """The roles of a vendor's messages, after the system's."""
    return [one["role"] for one in body.get("contents", body.get("messages")) if one["role"] != "system"]


@pytest.mark.parametrize("code", sorted(DRIVERS))
def test_roles_alternate_for_strict_templates_with_tools_too(code: str, vendor: Vendor) -> None:
    """Neighbours of one role are one message, the first is a user's, and results stay with their calls."""
    vendor.will_say(TEXTS[code]("Да."))
    said = [
        Utterance("assistant", "Здравствуйте!"),
        Utterance("assistant", "Чем помочь?"),
        Utterance("user", "Где"),
        Utterance("user", "заказ?"),
        *TALK[1:],
        Utterance("user", "И когда?"),
    ]
    base = f"{vendor.url}/v1" if code.startswith("openai") else vendor.url
    asked = ModelRequest("m-1", "Ты продавец.", said, [Tool(**FIND)], None, 1000)
    converse(DRIVERS[code], Endpoint(base, "sk-1"), asked, purpose="turn", budget=CallBudget(operations=10, seconds=30))
    body = vendor.asked[0].json
    mine = "model" if code == "gemini" else "assistant"
    results = ["tool", "user"] if code.startswith("openai") else ["user"]
    assert roles_of(body) == ["user", mine, "user", mine, *results]
    text = str(body)
    for part in ("Чем помочь?", "Где", "заказ?", "И когда?"):
        assert text.count(part) == 1


class TestSpeech:
    def test_speech_becomes_text(self, answered: Application, vendor: Vendor) -> None:
        vendor.answer = heard
        body = {"audio_base64": base64.b64encode(b"OggS").decode(), "mime_type": "audio/ogg; codecs=opus"}
        response = answered.post("/speech-to-text", {**body, "language": "ru"})
        assert (response.status_code, response.json()) == (200, {"text": "Где мой заказ?"})
        (asked,) = vendor.asked
        assert asked.path == "/v1/audio/transcriptions"
        assert b'filename="audio.ogg"' in asked.raw
        assert b"gpt-4o-mini-transcribe" in asked.raw
        assert Usage.objects.get().purpose == "speech"

    def test_text_becomes_speech(self, answered: Application, vendor: Vendor) -> None:
        vendor.answer = heard
        response = answered.post("/text-to-speech", {"text": "Заказ в пути.", "voice": "nova", "format": "opus"})
        audio = base64.b64encode(AUDIO).decode()
        assert response.json() == {"audio_base64": audio, "mime_type": "audio/ogg", "format": "opus"}
        assert vendor.asked[0].json == {
            "model": "gpt-4o-mini-tts",
            "voice": "nova",
            "input": "Заказ в пути.",
            "response_format": "opus",
        }

    def test_another_provider_has_none(self, answered: Application) -> None:
        Binding.objects.update(provider="anthropic")
        assert_problem(answered.post("/text-to-speech", {"text": "x"}), 422, "speech_unsupported")
        body = {"audio_base64": "T2dn", "mime_type": "audio/ogg"}
        assert_problem(answered.post("/speech-to-text", body), 422, "speech_unsupported")

    def test_audio_over_6_mib_decoded_is_413(self, answered: Application, vendor: Vendor) -> None:
        vendor.answer = heard
        limit = 6 * 1024 * 1024
        for size, status in ((limit, 200), (limit + 1, 413)):
            body = {"audio_base64": base64.b64encode(b"x" * size).decode(), "mime_type": "audio/wav"}
            response = answered.post("/speech-to-text", body)
            assert response.status_code == status
        assert_problem(response, 413, "audio_too_large")

    def test_a_body_over_9_mib(self, answered: Application) -> None:
        refused = answered.post("/speech-to-text", None, raw=b" " * (9 * 1024 * 1024 + 1))
        assert_problem(refused, 413, "body_too_large")

    @pytest.mark.parametrize(
        ("changes", "member"),
        [
            ({"audio_base64": ""}, "audio_base64"),
            ({"audio_base64": "!"}, "audio_base64"),
            ({"mime_type": "video/mp4"}, "mime_type"),
            ({"mime_type": "audio/midi"}, "mime_type"),
            ({"language": "rus"}, "language"),
        ],
    )
    def test_malformed_audio_is_422(self, answered: Application, changes: dict[str, Any], member: str) -> None:
        body = {"audio_base64": "T2dn", "mime_type": "audio/x-wav", **changes}
        assert_problem(answered.post("/speech-to-text", body), 422, "invalid_input", errors=[member])

    def test_an_answer_that_is_no_audio(self, answered: Application, vendor: Vendor) -> None:
        vendor.will_say(Says(b"<html>", headers={"Content-Type": "text/html"}))
        assert_problem(answered.post("/text-to-speech", {"text": "x"}), 502, "provider_failure")

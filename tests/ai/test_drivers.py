"""Each driver against a vendor that speaks its wire format: what goes out, and what becomes of every answer."""

import hashlib
import hmac
import json
import socket
import threading
from typing import Any

import pytest

from apps.ai.drivers import DRIVERS, CompletionRequest, Endpoint, ProviderFailed
from apps.ai.rules.configuration import BASE_URLS
from apps.ai.rules.prompts import PromptMessage
from apps.demo.servers.language_models import Vendor, chat, claude, gemini
from apps.demo.servers.played import Says
from apps.egress.call_budget import CallBudget, SpentError
from tests.calls import cost_of
from tests.egress import receivers

KEY = "sk-the-key-0123456789"
TURNS = (
    PromptMessage("user", "Есть тюльпаны?"),
    PromptMessage("assistant", "Да."),
    PromptMessage("user", "Сколько стоят?"),
)
ANSWERS: dict[str, Any] = {"openai_compatible": chat, "openai": chat, "anthropic": claude, "gemini": gemini}
PATHS = {
    "openai_compatible": "/v1/chat/completions",
    "openai": "/v1/chat/completions",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/m-1:generateContent",
}
CUT = {"openai_compatible": "length", "openai": "length", "anthropic": "max_tokens", "gemini": "MAX_TOKENS"}
REFUSED = {
    "openai_compatible": ("finish", "content_filter"),
    "openai": ("refusal", "I can't help with that."),
    "anthropic": ("stop", "refusal"),
    "gemini": ("finish", "SAFETY"),
}
FINISH = {"openai_compatible": "finish", "openai": "finish", "anthropic": "stop", "gemini": "finish"}
each_driver = pytest.mark.parametrize("code", sorted(DRIVERS))


def base_url(code: str, vendor: Vendor) -> str:
    return f"{vendor.url}/v1" if code in ("openai", "openai_compatible") else vendor.url


def budget(operations: int = 10, seconds: float = 45.0) -> CallBudget:
    return CallBudget(operations=operations, seconds=seconds)


def complete(code: str, vendor: Vendor, *, signing_secret: str | None = None, **changes: Any) -> Any:
    endpoint = Endpoint(base_url(code, vendor), KEY, signing_secret)
    spent = changes.pop("budget", budget())
    call = {
        "purpose": "reply",
        "model": "m-1",
        "system": "Ты продавец цветов.",
        "turns": TURNS,
        "temperature": 0.4,
        "max_tokens": 1000,
    }
    return DRIVERS[code].complete(endpoint, CompletionRequest(**{**call, **changes}), budget=spent)


@each_driver
def test_the_texts_go_where_the_vendor_wants_them(code: str, vendor: Vendor) -> None:
    vendor.will_say(ANSWERS[code]("По 90 рублей."))
    assert complete(code, vendor) == ("По 90 рублей.", 11, 7)
    (asked,) = vendor.asked
    assert (asked.method, asked.path) == ("POST", PATHS[code])
    texts = [turn.content for turn in TURNS]
    body = asked.json
    if code in ("openai", "openai_compatible"):
        assert [one["content"] for one in body["messages"]] == ["Ты продавец цветов.", *texts]
        assert [one["role"] for one in body["messages"]] == ["system", "user", "assistant", "user"]
        assert body["max_completion_tokens" if code == "openai" else "max_tokens"] == 1000
        assert body["temperature"] == 0.4
    elif code == "anthropic":
        assert body["system"] == "Ты продавец цветов."
        assert [(one["role"], one["content"]) for one in body["messages"]] == [tuple(turn) for turn in TURNS]
        assert (body["max_tokens"], body["temperature"]) == (1000, 0.4)
    else:
        assert body["systemInstruction"]["parts"][0]["text"] == "Ты продавец цветов."
        assert [one["parts"][0]["text"] for one in body["contents"]] == texts
        assert [one["role"] for one in body["contents"]] == ["user", "model", "user"]
        assert body["generationConfig"] == {"temperature": 0.4, "maxOutputTokens": 1000}


@each_driver
def test_each_request_bears_its_purpose_and_nothing_of_the_environment(
    code: str, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "OPENAI_API_KEY": "of-the-environment",
        "OPENAI_ORG_ID": "org-of-the-environment",
        "OPENAI_PROJECT_ID": "project-of-the-environment",
        "OPENAI_BASE_URL": "https://elsewhere.example",
        "ANTHROPIC_API_KEY": "of-the-environment",
        "ANTHROPIC_AUTH_TOKEN": "of-the-environment",
        "ANTHROPIC_BASE_URL": "https://elsewhere.example",
        "ANTHROPIC_CUSTOM_HEADERS": "X-Spy: 1",
        "GOOGLE_API_KEY": "of-the-environment",
        "GEMINI_API_KEY": "of-the-environment",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "HTTPS_PROXY": "http://127.0.0.1:1",
        "HTTP_PROXY": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    vendor.will_say(ANSWERS[code]("Да."))
    complete(code, vendor, purpose="classifier")
    (asked,) = vendor.asked
    assert asked.headers["x-service-purpose"] == "classifier"
    assert "x-service-signature" not in asked.headers
    assert KEY in " ".join(asked.headers.values())
    assert not [
        name for name, value in asked.headers.items() if "environment" in value or name.startswith("x-stainless")
    ]
    assert "x-spy" not in asked.headers


@each_driver
def test_a_signing_secret_signs_the_raw_body(code: str, vendor: Vendor) -> None:
    vendor.will_say(ANSWERS[code]("Да."))
    complete(code, vendor, signing_secret="a secret of 16+ characters")
    (asked,) = vendor.asked
    digest = hmac.new(b"a secret of 16+ characters", asked.raw, hashlib.sha256).hexdigest()
    assert asked.headers["x-service-signature"] == f"sha256=v1:{digest}"


@each_driver
def test_a_credential_keeps_its_connection_and_shares_it_with_no_other(code: str, settings: Any) -> None:
    said = receivers.answer(json.dumps(ANSWERS[code]("Да.")).encode())
    request = CompletionRequest(purpose="reply", model="m-1", system="", turns=TURNS, temperature=None, max_tokens=1000)
    with receivers.Receiver(receivers.says(said)) as receiver:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}"]
        for secrets, connections in (
            ((KEY, None), 1),
            (("sk-another", None), 2),
            ((KEY, "a secret"), 3),
            ((KEY, None), 3),
        ):
            for _ in range(2):
                endpoint = Endpoint(f"http://127.0.0.1:{receiver.port}", *secrets)
                assert DRIVERS[code].complete(endpoint, request, budget=budget()).text == "Да."
            assert receiver.connections == connections
    assert len(receiver.requests) == 8


@each_driver
def test_a_call_is_little_work(code: str, settings: Any) -> None:
    request = CompletionRequest(
        purpose="reply", model="m-1", system="Ты продавец цветов.", turns=TURNS * 4, temperature=0.4, max_tokens=1000
    )
    with receivers.Receiver(receivers.says(receivers.answer(json.dumps(ANSWERS[code]("Да.")).encode()))) as receiver:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}"]
        endpoint = Endpoint(f"http://127.0.0.1:{receiver.port}", KEY)
        for _ in range(3):  # the vendor's client is loaded, and the connection open
            cost = cost_of(lambda: DRIVERS[code].complete(endpoint, request, budget=budget()))
    assert cost.calls <= 4_500, cost.calls


@each_driver
def test_an_answer_that_ran_out_of_tokens_ends_with_its_last_sentence(code: str, vendor: Vendor) -> None:
    vendor.will_say(ANSWERS[code]("По 90 рублей. Завтра привез", **{FINISH[code]: CUT[code]}))
    assert complete(code, vendor).text == "По 90 рублей."


@each_driver
def test_a_refusal_is_an_empty_answer(code: str, vendor: Vendor) -> None:
    name, value = REFUSED[code]
    vendor.will_say(ANSWERS[code]("Что-то запретное", **{name: value}))
    assert complete(code, vendor).text == ""


@each_driver
@pytest.mark.parametrize(
    ("status", "reason", "may_pass"),
    [
        (400, "bad_answer", True),
        (401, "rejected_key", False),
        (403, "rejected_key", False),
        (404, "model_not_found", False),
        (408, "timeout", True),
        (409, "bad_answer", True),
        (429, "rate_limited", True),
        (500, "server_error", True),
        (503, "server_error", True),
        (302, "bad_answer", True),
    ],
)
def test_a_refused_call_has_a_reason_of_ours_and_is_made_once(
    code: str, vendor: Vendor, status: int, reason: str, may_pass: bool
) -> None:
    said = {"error": {"message": "the vendor's own words", "type": "t"}}
    headers = {"Retry-After": "17", "Location": f"{vendor.url}/elsewhere"}
    vendor.will_say(Says(said, status=status, headers=headers))
    with pytest.raises(ProviderFailed) as failed:
        complete(code, vendor)
    assert (failed.value.reason, failed.value.status, failed.value.may_pass) == (reason, status, may_pass)
    assert failed.value.retry_after == (17.0 if status == 429 else None)
    assert "words" not in str(failed.value)
    assert len(vendor.asked) == 1


@each_driver
@pytest.mark.parametrize("body", [b"<html>", b"{}", b"[]", b'{"choices": []}', b"", b"null", b'"text"', b"\xff\xfe"])
def test_a_success_that_says_nothing_is_a_bad_answer(code: str, vendor: Vendor, body: bytes) -> None:
    vendor.will_say(Says(body))
    with pytest.raises(ProviderFailed) as failed:
        complete(code, vendor)
    assert failed.value.reason == "bad_answer"


@each_driver
def test_an_answer_over_a_mebibyte_or_encoded_is_none(code: str, vendor: Vendor) -> None:
    for says in (Says(ANSWERS[code]("x" * 1024 * 1024)), Says(b"\x1f\x8b", headers={"Content-Encoding": "gzip"})):
        vendor.will_say(says)
        with pytest.raises(ProviderFailed):
            complete(code, vendor)


@each_driver
def test_nobody_there_is_unreachable(code: str, vendor: Vendor, settings: Any) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        settings.EGRESS_ALLOW = [f"127.0.0.1:{port}"]
        vendor.url = f"http://127.0.0.1:{port}"
        with pytest.raises(ProviderFailed) as failed:
            complete(code, vendor)
    assert failed.value.reason == "unreachable"


@each_driver
def test_a_private_address_is_unreachable_and_never_called(code: str, vendor: Vendor, settings: Any) -> None:
    settings.EGRESS_ALLOW = []
    with pytest.raises(ProviderFailed) as failed:
        complete(code, vendor)
    assert failed.value.reason == "unreachable"
    assert vendor.asked == []


@each_driver
def test_a_deadline_that_has_come_is_no_further_request(code: str, vendor: Vendor) -> None:
    vendor.will_say(ANSWERS[code]("Да."))
    spent = budget(operations=1)
    complete(code, vendor, budget=spent)
    with pytest.raises(SpentError, match="operations"):
        complete(code, vendor, budget=spent)
    with pytest.raises(SpentError, match="seconds"):
        complete(code, vendor, budget=budget(seconds=0))
    assert len(vendor.asked) == 1
    assert spent.spent == 1


@each_driver
def test_a_vendor_that_keeps_silent_is_a_timeout(code: str, vendor: Vendor) -> None:
    stopped = threading.Event()
    vendor.will_say(Says(ANSWERS[code]("Да.")), Says({}, wait=stopped))
    complete(code, vendor)  # the vendor's client is loaded by then, which takes a while
    with pytest.raises(ProviderFailed) as failed:
        complete(code, vendor, budget=budget(seconds=1))
    stopped.set()
    assert failed.value.reason == "timeout"


@each_driver
def test_a_temperature_that_the_model_does_not_take_is_left_out(code: str, vendor: Vendor) -> None:
    said = {"error": {"message": "Unsupported value: `temperature` is not supported with this model."}}
    vendor.will_say(Says(said, status=400), Says(ANSWERS[code]("Да.")))
    assert complete(code, vendor).text == "Да."
    assert len(vendor.asked) == 2
    assert b"temperature" in vendor.asked[0].raw
    assert b"temperature" not in vendor.asked[1].raw


@pytest.mark.parametrize(
    ("code", "first", "second"),
    [
        ("openai", "max_completion_tokens", "max_tokens"),
        ("openai_compatible", "max_tokens", "max_completion_tokens"),
    ],
)
def test_the_limit_of_tokens_goes_by_its_other_name(code: str, first: str, second: str, vendor: Vendor) -> None:
    said = {"error": {"message": f"Unsupported parameter: '{first}'. Use '{second}' instead.", "param": first}}
    vendor.will_say(Says(said, status=400), Says(chat("Да.")))
    assert complete(code, vendor).text == "Да."
    assert vendor.asked[0].json[first] == 1000
    assert first not in vendor.asked[1].json
    assert vendor.asked[1].json[second] == 1000


def test_a_parameter_refused_twice_is_a_failure(vendor: Vendor) -> None:
    said = {"error": {"message": "no", "param": "temperature"}}
    vendor.will_say(Says(said, status=400))
    with pytest.raises(ProviderFailed):
        complete("openai", vendor)
    assert len(vendor.asked) == 2


@pytest.mark.parametrize(
    "error",
    [
        {"message": "This model's maximum context length is 8192 tokens.", "code": "context_length_exceeded"},
        {"message": "prompt is too long: 210000 tokens > 200000 maximum"},
        {"message": "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."},
    ],
)
def test_a_context_that_is_too_long_is_said_apart(error: dict[str, Any], vendor: Vendor) -> None:
    vendor.will_say(Says({"error": error}, status=400))
    with pytest.raises(ProviderFailed) as failed:
        complete("openai_compatible", vendor)
    assert failed.value.too_long
    assert failed.value.unsupported is None
    assert len(vendor.asked) == 1


def test_a_temperature_above_anthropics_range_is_its_end(vendor: Vendor) -> None:
    vendor.will_say(claude("Да."))
    complete("anthropic", vendor, temperature=1.7)
    assert vendor.asked[0].json["temperature"] == 1.0


@each_driver
def test_without_a_temperature_none_is_sent(code: str, vendor: Vendor) -> None:
    vendor.will_say(ANSWERS[code]("Да."))
    complete(code, vendor, temperature=None)
    assert b"temperature" not in vendor.asked[0].raw


MODELS: dict[str, tuple[str, dict[str, Any], list[tuple[str, str, bool]]]] = {
    "openai_compatible": (
        "/v1/models",
        {"object": "list", "data": [{"id": name, "object": "model", "created": 1, "owned_by": "me"} for name in "ba"]},
        [("a", "a", False), ("b", "b", False)],
    ),
    "openai": (
        "/v1/models",
        {
            "object": "list",
            "data": [
                {"id": name, "object": "model", "created": 1, "owned_by": "openai"}
                for name in (
                    "whisper-1",
                    "gpt-4.1",
                    "text-embedding-3-small",
                    "gpt-5.4-mini",
                    "gpt-realtime",
                    "dall-e-3",
                )
            ],
        },
        [("gpt-5.4-mini", "gpt-5.4-mini", True), ("gpt-4.1", "gpt-4.1", False)],
    ),
    "anthropic": (
        "/v1/models",
        {
            "data": [
                {
                    "id": "claude-haiku-5-5",
                    "type": "model",
                    "display_name": "Claude Haiku 5.5",
                    "created_at": "2026-01-01T00:00:00Z",
                    "lifecycle": "active",
                }
            ],
            "has_more": False,
            "first_id": None,
            "last_id": None,
        },
        [("claude-haiku-5-5", "Claude Haiku 5.5", True)],
    ),
    "gemini": (
        "/v1beta/models",
        {
            "models": [
                {
                    "name": "models/gemini-embedding-001",
                    "displayName": "E",
                    "supportedGenerationMethods": ["embedContent"],
                },
                {
                    "name": "models/gemini-3.8-flash",
                    "displayName": "Gemini 3.8 Flash",
                    "supportedGenerationMethods": ["generateContent"],
                },
            ]
        },
        [("gemini-3.8-flash", "Gemini 3.8 Flash", True)],
    ),
}


@each_driver
def test_the_models_that_can_talk_are_listed_recommended_ones_first(code: str, vendor: Vendor) -> None:
    path, says, expected = MODELS[code]
    vendor.will_say(says)
    assert DRIVERS[code].models(Endpoint(base_url(code, vendor), KEY), budget=budget()) == expected
    (asked,) = vendor.asked
    assert asked.method == "GET"
    assert asked.path.partition("?")[0] == path
    assert asked.headers["x-service-purpose"] == "models"


def test_openai_embeds_in_the_order_of_the_texts(vendor: Vendor) -> None:
    data = [{"object": "embedding", "index": n, "embedding": [n + 0.5, 1.0]} for n in (1, 0)]
    vendor.will_say({"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}})
    endpoint = Endpoint(f"{vendor.url}/v1", KEY)
    for code, dimensions in (("openai", 512), ("openai_compatible", None)):
        vectors = DRIVERS[code].embed(endpoint, model="e-1", texts=["a", "b"], task="document", budget=budget())
        assert vectors == [[0.5, 1.0], [1.5, 1.0]]
        asked = vendor.asked[-1]
        assert asked.path == "/v1/embeddings"
        assert asked.json.get("dimensions") == dimensions
        assert asked.json["input"] == ["a", "b"]
        assert asked.headers["x-service-purpose"] == "embedding"


def test_gemini_embeds_by_task(vendor: Vendor) -> None:
    vendor.will_say({"embeddings": [{"values": [0.5, 1.0]}, {"values": [1.5, 1.0]}]})
    vectors = DRIVERS["gemini"].embed(
        Endpoint(vendor.url, KEY), model="gemini-embedding-001", texts=["a", "b"], task="query", budget=budget()
    )
    assert vectors == [[0.5, 1.0], [1.5, 1.0]]
    (asked,) = vendor.asked
    assert asked.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert {one["taskType"] for one in asked.json["requests"]} == {"RETRIEVAL_QUERY"}
    assert {one["outputDimensionality"] for one in asked.json["requests"]} == {512}


@pytest.mark.parametrize("code", ["openai", "gemini"])
def test_another_number_of_vectors_is_a_bad_answer(code: str, vendor: Vendor) -> None:
    one = [{"object": "embedding", "index": 0, "embedding": [0.5, 1.0]}]
    vendor.will_say({"object": "list", "data": one, "embeddings": [{"values": [0.5]}], "model": "m", "usage": {}})
    with pytest.raises(ProviderFailed, match="bad_answer"):
        DRIVERS[code].embed(
            Endpoint(base_url(code, vendor), KEY), model="m", texts=["a", "b"], task="query", budget=budget()
        )


def test_every_provider_that_a_credential_may_name_has_a_driver() -> None:
    assert DRIVERS.keys() == BASE_URLS.keys()

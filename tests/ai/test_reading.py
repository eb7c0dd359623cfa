"""Every shape in which a vendor says its answer, and what becomes of it. The source of each shape is beside it."""

import json
from typing import Any

import pytest

from apps.ai.drivers.driver import Quirks, adapting, answered
from apps.ai.drivers.failures import Cause, ProviderFailed
from apps.ai.drivers.reading import MOST_TOKENS, VendorAnswer, read_chat, read_contents, read_message
from apps.ai.rules.prompts import PromptMessage
from apps.ai.rules.roles import OPENED, alternating, with_system
from apps.demo.servers.language_models import chat, claude, gemini

ANSWER = "Доставка стоит 300 рублей."
SECRET = "Скрытая наценка 40 %"


def body(document: Any) -> bytes:
    return document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode()


def said(content: Any, **more: Any) -> dict[str, Any]:
    document = chat("")
    document["choices"][0]["message"] = {"role": "assistant", "content": content, **more}
    return document


def used(usage: Any) -> dict[str, Any]:
    return {**chat(ANSWER), "usage": usage}


def streamed(*events: Any, end: str = "data: [DONE]\n\n") -> bytes:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode() + end.encode()


def delta(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


ANSWERS = {
    "a text": chat(ANSWER),
    "parts, Mistral (nextcloud/integration_openai#408)": said([{"type": "text", "text": ANSWER}]),
    "parts with thoughts, Magistral (microsoft/agent-framework#6978)": said(
        [{"type": "thinking", "thinking": [{"type": "text", "text": SECRET}]}, {"type": "text", "text": ANSWER}]
    ),
    "parts that are texts": said([ANSWER[:9], ANSWER[9:]]),
    "one part, no list": said({"type": "text", "text": ANSWER}),
    "a part's text with a value": said([{"type": "text", "text": {"value": ANSWER, "annotations": []}}]),
    "reasoning beside, DeepSeek and vLLM": said(ANSWER, reasoning_content=SECRET),
    "reasoning beside, OpenRouter and ollama": said(ANSWER, reasoning=SECRET, reasoning_details=[{"text": SECRET}]),
    "thoughts within, R1 on vLLM": said(f"<think>{SECRET}</think>{ANSWER}"),
    "no usage": {name: value for name, value in chat(ANSWER).items() if name != "usage"},
    "no finish": chat(ANSWER, finish=None),  # type: ignore[arg-type]
    "another word for stop, TGI": chat(ANSWER, finish="eos_token"),
    "choices with an index alone": {"choices": {"message": {"content": ANSWER}, "finish_reason": "stop"}},
    "a completion's text": {"choices": [{"text": ANSWER, "finish_reason": "stop"}]},
    "wrapped, DashScope": {"output": chat(ANSWER)},
    "in a list": [delta("stop", content=ANSWER)],
    "ollama's own format": {"message": {"role": "assistant", "content": ANSWER}, "done": True, "done_reason": "stop"},
    "with a byte order mark": b"\xef\xbb\xbf" + body(chat(ANSWER)),
    "after blank lines, OpenRouter's keep-alive": b"\n\n   \n" + body(chat(ANSWER)),
    "streamed though not asked": streamed(
        delta(role="assistant"), delta(content=ANSWER[:9]), delta(content=ANSWER[9:]), delta("stop"),
        {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}},
    ),
    "streamed with thoughts": streamed(delta(reasoning_content=SECRET), delta("stop", content=ANSWER)),
    "streamed with comments, OpenRouter": b": OPENROUTER PROCESSING\n\n" + streamed(delta("stop", content=ANSWER)),
    "streamed without [DONE]": streamed(delta("stop", content=ANSWER), end=""),
    "streamed a line each, ollama": b'{"message":{"content":"%s"},"done":false}\n{"message":{"content":""},"done":true}'
    % ANSWER.encode(),
    "repeated for ever": chat(ANSWER + " Что ещё?" * 50, finish="length"),
}  # fmt: skip


@pytest.mark.parametrize("document", ANSWERS.values(), ids=list(ANSWERS))
def test_a_chat_completion_is_read_whatever_its_shape(document: Any) -> None:
    answer = read_chat(body(document))
    assert answer.text.removesuffix(" Что ещё?") == ANSWER
    assert SECRET not in repr(answer)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (None, (0, 0)),
        ({}, (0, 0)),  # run-llama/llama_index#22806
        ({"prompt_tokens": None, "completion_tokens": None}, (0, 0)),  # ollama
        ({"prompt_tokens": 5}, (5, 0)),
        ({"prompt_tokens": 5, "total_tokens": 9}, (5, 4)),
        ({"prompt_tokens": "5", "completion_tokens": "x"}, (5, 0)),
        ({"prompt_tokens": -1, "completion_tokens": 7}, (0, 7)),
        ({"prompt_tokens": 10**12, "completion_tokens": 7}, (0, 7)),
        ({"prompt_tokens": 5.0, "completion_tokens": 7.9}, (5, 7)),
        ({"prompt_tokens": True, "completion_tokens": [1]}, (0, 0)),
        ({"input_tokens": 5, "output_tokens": 7}, (5, 7)),
        ("many", (0, 0)),
        ([5, 7], (0, 0)),
    ],
)
def test_usage_never_costs_an_answer(usage: Any, expected: tuple[int, int]) -> None:
    answer = read_chat(body(used(usage)))
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == (ANSWER, *expected)
    assert read_message(body({**claude(ANSWER), "usage": usage})).text == ANSWER
    assert read_contents(body({**gemini(ANSWER), "usageMetadata": usage})).text == ANSWER
    assert max(expected) <= MOST_TOKENS


REFUSALS = [
    (read_chat, chat(ANSWER, finish="content_filter")),
    (read_chat, chat(None, refusal="I can't help with that.")),
    (read_chat, said([{"type": "refusal", "refusal": "I can't"}])),
    (read_chat, chat(ANSWER, finish="blacklist")),  # GigaChat
    (read_chat, chat(ANSWER, finish="sensitive")),  # Zhipu
    (read_message, claude(ANSWER, stop="refusal")),
    (read_contents, gemini(ANSWER, finish="SAFETY")),
    (read_contents, gemini(ANSWER, finish="RECITATION")),
    (read_contents, gemini(ANSWER, finish="PROHIBITED_CONTENT")),
    (read_contents, {"promptFeedback": {"blockReason": "SAFETY"}}),
]


@pytest.mark.parametrize(("read", "document"), REFUSALS)
def test_a_refusal_is_an_empty_answer(read: Any, document: Any) -> None:
    answer = read(body(document))
    assert (answer.text, answer.ending, answer.is_only_thoughts) == ("", "refused", False)


@pytest.mark.parametrize(
    ("read", "document"),
    [
        (read_chat, chat("Есть розы. Роза стоит 1.5", finish="length")),
        (read_chat, chat("Есть розы. Роза стоит 1.5", finish="model_length")),  # Mistral
        (read_message, claude("Есть розы. Роза стоит 1.5", stop="max_tokens")),
        (read_message, claude("Есть розы. Роза стоит 1.5", stop="model_context_window_exceeded")),
        (read_contents, gemini("Есть розы. Роза стоит 1.5", finish="MAX_TOKENS")),
    ],
)
def test_half_an_answer_ends_with_its_last_whole_sentence(read: Any, document: Any) -> None:
    assert read(body(document)).text == "Есть розы."


def test_a_verdict_that_ran_out_of_tokens_is_one_still() -> None:
    assert read_chat(body(chat('{"escalate": true}', finish="length"))).text == '{"escalate": true}'


BROKEN = {
    "an error beside half an answer (razzant/claudexor#144)": chat("Доставка по городу стоит 3", finish="error"),
    "an error in the choice, OpenRouter": {
        "choices": [{"message": {"content": "Дост"}, "error": {"code": 502, "message": "Provider disconnected"}}]
    },
    "no resources, DeepSeek": chat("Дост", finish="insufficient_system_resource"),
    "network error, Zhipu": chat("Дост", finish="network_error"),
    "a reason that nobody knows": chat("Дост", finish="???"),
    "an error with a success, OpenRouter": {"error": {"code": 429, "message": "Rate limit exceeded"}},
    "an error that is a text": {"error": "model runner has unexpectedly stopped"},
    "a stream that breaks off": streamed(delta(content="Дост"), end=""),
    "a stream with an error in it": streamed(delta(content="Дост"), {"error": {"message": "overloaded"}}),
    "half a document": b'{"choices": [{"message": {"content": "\\u0414',
    "HTML": b"<!DOCTYPE html><html><body>It works</body></html>",
    "a number": b"1",
    "nothing": b"",
    "no choices": {"choices": []},
    "null": b"null",
    "deep": b"[" * 100_000,
    "no message": {"choices": [{"finish_reason": "stop", "message": {"role": "assistant"}}]},
}


@pytest.mark.parametrize("document", BROKEN.values(), ids=list(BROKEN))
def test_what_is_no_answer_is_a_failure(document: Any) -> None:
    with pytest.raises(ProviderFailed):
        read_chat(body(document))


@pytest.mark.parametrize(
    ("read", "document"),
    [
        (read_message, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        (read_message, claude(ANSWER, stop="pause_turn")),
        (read_message, b'event: message_start\ndata: {"type": "message_start", "message": {}}\n\n'),
        (read_contents, gemini(ANSWER, finish="MALFORMED_FUNCTION_CALL")),
        (read_contents, [{"candidates": [{"content": {"parts": [{"text": "Дост"}]}}]}]),
        (read_contents, {}),
    ],
)
def test_the_other_vendors_fail_alike(read: Any, document: Any) -> None:
    with pytest.raises(ProviderFailed):
        read(body(document))


def test_streams_of_the_other_vendors_are_joined() -> None:
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"usage": {"input_tokens": 11, "output_tokens": 1}}},
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": SECRET}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": ANSWER}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
    ]
    answer = read_message(streamed(*events, end=""))
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == (ANSWER, 11, 7)
    half = {"candidates": [{"content": {"parts": [{"text": ANSWER[:9]}]}}]}
    for document in (body([half, gemini(ANSWER[9:])]), streamed(half, gemini(ANSWER[9:]), end="")):
        answer = read_contents(document)
        assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == (ANSWER, 11, 7)


def test_thoughts_of_the_other_vendors_are_left_out() -> None:
    document = claude(ANSWER)
    document["content"].insert(0, {"type": "thinking", "thinking": SECRET, "signature": "x"})
    assert read_message(body(document)).text == ANSWER
    document = gemini(ANSWER)
    document["candidates"][0]["content"]["parts"].insert(0, {"text": SECRET, "thought": True})
    assert read_contents(body(document)).text == ANSWER


@pytest.mark.parametrize(
    "document",
    [
        said(None, reasoning_content=SECRET) | {"finish_reason": "length"},
        chat("<think>" + SECRET, finish="length"),
        chat(None, finish="length"),
        chat(f"<think>{SECRET}</think>"),
    ],
)
def test_a_call_whose_tokens_went_into_thoughts_is_made_again_with_more(document: Any) -> None:
    quirks, documents = Quirks(), [document, chat(ANSWER)]
    assert answered(quirks, lambda: read_chat(body(documents.pop(0)))).text == ANSWER
    assert quirks.thinks
    # Known from then on: it is not tried a second time.
    assert answered(quirks, lambda: read_chat(body(document))).text == ""


def refused(name: str) -> ProviderFailed:
    return ProviderFailed("bad_answer", status=400, unsupported=name)


def test_what_a_model_does_not_take_is_left_out_once_and_remembered() -> None:
    quirks = Quirks()
    refusals = [refused("temperature"), refused("max_tokens"), refused("max_completion_tokens"), refused("system")]
    tried: list[tuple[list[str], str | None]] = []

    def ask() -> str:
        tried.append((sorted(quirks.left_out), quirks.limit))
        if refusals:
            raise refusals.pop(0)
        return ANSWER

    assert adapting(quirks, ask, limit="max_tokens") == ANSWER
    assert tried[1:] == [
        (["temperature"], None),
        (["temperature"], "max_completion_tokens"),
        (["temperature"], ""),
        (["system", "temperature"], ""),
    ]
    assert Quirks.of(quirks.as_json()) == quirks
    refusals.append(refused("temperature"))
    with pytest.raises(ProviderFailed):
        adapting(quirks, ask, limit="max_tokens")


def test_a_filter_that_refuses_the_question_is_an_empty_answer() -> None:
    def ask() -> VendorAnswer:
        raise ProviderFailed("bad_answer", cause=Cause.FILTERED, status=400)

    assert answered(Quirks(), ask) == ("", 0, 0)


def lines(*roles: str) -> list[PromptMessage]:
    return [PromptMessage(role, f"{place}") for place, role in enumerate(roles)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (["user", "user"], ["0\n\n1"]),
        (["user", "assistant", "user", "user"], ["0", "1", "2\n\n3"]),
        (["assistant", "assistant", "user"], [OPENED, "0\n\n1", "2"]),
        (["user", "user", "assistant", "assistant", "user"], ["0\n\n1", "2\n\n3", "4"]),
        ([], [OPENED]),
    ],
)
def test_roles_alternate_and_begin_with_a_user(roles: list[str], expected: list[str]) -> None:
    turns = alternating(lines(*roles))
    assert [turn.content for turn in turns] == expected
    assert [turn.role for turn in turns] == ["user", "assistant", "user", "assistant", "user"][: len(turns)]


def test_without_a_role_for_the_system_its_text_begins_the_first_message() -> None:
    assert with_system("Ты Флора.", lines("user", "assistant", "user"))[0] == ("user", "Ты Флора.\n\n0")


HALF = {
    "an error beside the choices": body(chat(ANSWER) | {"error": {"message": "upstream died", "code": 502}}),
    "an error in words beside them": body(chat(ANSWER) | {"error": "boom"}),
    "a choice without its message": body({"choices": [{"index": 0, "finish_reason": "stop"}]}),
    "a message that is null": body({"choices": [{"message": None, "finish_reason": "stop"}]}),
    "a proxy's login page": b"<!DOCTYPE html><html><title>Sign in</title><body>Wi-Fi</body></html>",
    "two answers": body(chat(ANSWER)) + b"\n" + body(chat("Другой ответ.")),
    "an answer and an error": body(chat(ANSWER)) + body({"error": {"message": "x"}}),
    "Latin-1": json.dumps(chat("Café"), ensure_ascii=False).encode("latin-1"),
    "bytes that are no text": b'{"choices": [{"message": {"content": "ab\xff\xfe"}, "finish_reason": "stop"}]}',
}


@pytest.mark.parametrize("whole", HALF.values(), ids=list(HALF))
def test_an_answer_that_is_half_is_a_failed_call(whole: bytes) -> None:
    with pytest.raises(ProviderFailed):
        read_chat(whole)


def test_an_error_beside_gemini_s_candidates_is_a_failed_call() -> None:
    with pytest.raises(ProviderFailed):
        read_contents(body(gemini(ANSWER) | {"error": {"code": 503, "message": "overloaded"}}))


def test_an_error_that_is_null_is_none() -> None:
    assert read_chat(body(chat(ANSWER) | {"error": None})).text == ANSWER

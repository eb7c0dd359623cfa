"""Recorded errors of vendors and servers, and what each means. Beside each stands where it was seen.

Keys, ids and addresses in them are changed.
"""

import json
from typing import Any

import pytest

from apps.ai.drivers.failures import Cause, failure_of

GEMINI_LIMIT = {
    "error": {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details. Retry in 37.8s.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}],
    }
}
OPENROUTER_UPSTREAM = {
    "error": {
        "code": 400,
        "message": "Provider returned error",
        "metadata": {
            "provider_name": "DeepInfra",
            "raw": '{"error":{"message":"This model\'s maximum context length is 8192 tokens."}}',
        },
    }
}


def error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


MEANINGS: dict[str, tuple[int, Any, Cause, str]] = {
    # OpenAI: platform.openai.com/docs/guides/error-codes; community threads for the bodies
    "openai wrong key": (
        401, error("Incorrect API key provided: sk-x.", code="invalid_api_key"), Cause.WRONG_KEY, "rejected_key"),
    "openai no money": (
        429, error("You exceeded your current quota, please check your plan and billing details.",
                   type="insufficient_quota", code="insufficient_quota"), Cause.NO_MONEY, "rate_limited"),
    "openai not active": (
        429, error("Your account is not active, please check your billing details on our website.",
                   code="billing_not_active"), Cause.NO_MONEY, "rate_limited"),
    "openai model gone": (
        404, error("The model `gpt-3` does not exist or you do not have access to it.", code="model_not_found"),
        Cause.MODEL_GONE, "model_not_found"),
    "openai too long": (
        400, error("This model's maximum context length is 8192 tokens.", code="context_length_exceeded"),
        Cause.TOO_LONG, "bad_answer"),
    "openai slow down": (
        429, error("Rate limit reached for gpt-5.4-mini. Please try again in 1m20.5s."), Cause.SLOW_DOWN,
        "rate_limited"),
    "openai overloaded": (503, error("The server is overloaded or not ready yet."), Cause.OVERLOADED, "server_error"),
    "openai region": (
        403, error("Country, region, or territory not supported", code="unsupported_country_region_territory"),
        Cause.NOT_ALLOWED, "rejected_key"),
    "azure filter": (
        400, error("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
                   code="content_filter"), Cause.FILTERED, "bad_answer"),
    # Anthropic: docs.anthropic.com/en/api/errors; anthropics/claude-code#66314
    "anthropic wrong key": (
        401, {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}},
        Cause.WRONG_KEY, "rejected_key"),
    "anthropic no money": (
        400, {"type": "error", "error": {"type": "invalid_request_error",
              "message": "Your credit balance is too low to access the Anthropic API."}},
        Cause.NO_MONEY, "rejected_key"),
    "anthropic model gone": (
        404, {"type": "error", "error": {"type": "not_found_error", "message": "model: claude-1"}},
        Cause.MODEL_GONE, "model_not_found"),
    "anthropic too long": (
        400, error("prompt is too long: 210000 tokens > 200000 maximum"), Cause.TOO_LONG, "bad_answer"),
    "anthropic overloaded": (
        529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        Cause.OVERLOADED, "server_error"),
    "anthropic slow down": (
        429, {"type": "error", "error": {"type": "rate_limit_error", "message": "This request would exceed your rate"}},
        Cause.SLOW_DOWN, "rate_limited"),
    # Gemini: Wei-Shaw/sub2api#1709, google-gemini/gemini-cli#6678, itcon-pty-au/stremio-ai-search#147
    "gemini wrong key": (
        400, {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.",
                        "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}},
        Cause.WRONG_KEY, "rejected_key"),
    "gemini expired key": (
        400, error("API key expired. Please renew the API key."), Cause.WRONG_KEY, "rejected_key"),
    "gemini slow down": (429, GEMINI_LIMIT, Cause.SLOW_DOWN, "rate_limited"),
    "gemini in a list": (429, [GEMINI_LIMIT], Cause.SLOW_DOWN, "rate_limited"),
    "gemini no money": (
        429, error("Your prepayment credits are depleted. Please go to AI Studio to manage billing."),
        Cause.NO_MONEY, "rate_limited"),
    "gemini free tier": (
        400, error("Gemini API free tier is not available in your country.", status="FAILED_PRECONDITION"),
        Cause.NO_MONEY, "rejected_key"),
    "gemini too long": (
        400, error("The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."),
        Cause.TOO_LONG, "bad_answer"),
    "gemini model gone": (
        404, error("models/gemini-1 is not found for API version v1beta, or is not supported"),
        Cause.MODEL_GONE, "model_not_found"),
    "gemini overloaded": (
        503, error("The model is overloaded. Please try again later.", status="UNAVAILABLE"),
        Cause.OVERLOADED, "server_error"),
    # OpenRouter: openrouter.ai/docs/api/reference/errors-and-debugging
    "openrouter no money": (402, error("Insufficient credits", code=402), Cause.NO_MONEY, "rejected_key"),
    "openrouter key's limit": (
        403, error("Key limit exceeded (total limit). Add more credits"), Cause.NO_MONEY, "rejected_key"),
    "openrouter wrong key": (401, error("User not found.", code=401), Cause.WRONG_KEY, "rejected_key"),
    "openrouter model gone": (
        400, error("gpt-0 is not a valid model ID", code=400), Cause.MODEL_GONE, "model_not_found"),
    "openrouter no endpoint": (404, error("No endpoints found for x/y."), Cause.MODEL_GONE, "model_not_found"),
    "openrouter upstream": (400, OPENROUTER_UPSTREAM, Cause.TOO_LONG, "bad_answer"),
    "openrouter flagged": (
        403, error("x requires moderation. Your input was flagged", code=403), Cause.FILTERED, "bad_answer"),
    "openrouter within a success": (200, error("Provider overloaded", code=502), Cause.OVERLOADED, "server_error"),
    "openrouter limit within a success": (200, error("Rate limited", code="429"), Cause.SLOW_DOWN, "rate_limited"),
    # DeepSeek: api-docs.deepseek.com/quick_start/error_codes
    "deepseek no money": (402, error("Insufficient Balance"), Cause.NO_MONEY, "rejected_key"),
    "deepseek wrong key": (
        401, error("Authentication Fails (no such user)", type="authentication_error"), Cause.WRONG_KEY,
        "rejected_key"),
    "deepseek model gone": (400, error("Model Not Exist"), Cause.MODEL_GONE, "model_not_found"),
    "deepseek overloaded": (503, error("Service is too busy"), Cause.OVERLOADED, "server_error"),
    # YandexGPT's OpenAI-compatible door (the words of its errors as its clients quote them)
    "yandex wrong key": (401, error("Unknown api key '***'"), Cause.WRONG_KEY, "rejected_key"),
    "yandex slow down": (
        429, error("ai.textGenerationCompletionSessionsCount.count gRPC quota limit exceed: allowed 10 requests"),
        Cause.SLOW_DOWN, "rate_limited"),
    "yandex too long": (
        400, {"error": "number of input tokens must be no more than 8192, got 9120"}, Cause.TOO_LONG, "bad_answer"),
    "yandex model gone": (400, error("Failed to get model"), Cause.MODEL_GONE, "model_not_found"),
    # GigaChat: developers.sber.ru/docs/ru/gigachat/api/errors-description
    "gigachat no money": (402, {"status": 402, "message": "Payment Required"}, Cause.NO_MONEY, "rejected_key"),
    "gigachat wrong key": (401, {"status": 401, "message": "Token has expired"}, Cause.WRONG_KEY, "rejected_key"),
    "gigachat model gone": (404, {"status": 404, "message": "No such model"}, Cause.MODEL_GONE, "model_not_found"),
    "gigachat too long": (413, {"status": 413, "message": "Payload too large"}, Cause.TOO_LONG, "bad_answer"),
    "gigachat slow down": (429, {"status": 429, "message": "Too Many Requests"}, Cause.SLOW_DOWN, "rate_limited"),
    # ollama: netease-youdao/QAnything#555, ollama/ollama#3876, continuedev/continue#12740
    "ollama model gone": (
        404, error('model "llama3" not found, try pulling it first'), Cause.MODEL_GONE, "model_not_found"),
    "ollama model gone, its own": (
        404, {"error": "model 'llama3' not found, try pulling it first"}, Cause.MODEL_GONE, "model_not_found"),
    "ollama wrong address": (404, b"404 page not found", Cause.WRONG_ADDRESS, "model_not_found"),
    "ollama busy": (503, {"error": "server busy, please try again."}, Cause.OVERLOADED, "server_error"),
    "ollama memory": (
        500, {"error": "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"},
        Cause.OVERLOADED, "server_error"),
    # vLLM: vllm-project/vllm#6862, vllm PR#37011
    "vllm model gone": (
        404, {"object": "error", "message": "The model `x` does not exist.", "code": 404}, Cause.MODEL_GONE,
        "model_not_found"),
    "vllm too long, before 0.10": (
        400, {"object": "error", "message": "This model's maximum context length is 4096 tokens."},
        Cause.TOO_LONG, "bad_answer"),
    "vllm too long": (
        400, error("The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
        Cause.TOO_LONG, "bad_answer"),
    "vllm too long, by the limit": (
        400, error("'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length"),
        Cause.TOO_LONG, "bad_answer"),
    "vllm wrong key": (401, {"error": "Unauthorized"}, Cause.WRONG_KEY, "rejected_key"),
    # llama.cpp: ggml-org/llama.cpp PR#15780, oobabooga/textgen#7257
    "llama.cpp too long": (
        400, error("the request exceeds the available context size. try increasing the context size",
                   type="exceed_context_size_error", n_prompt_tokens=14429, n_ctx=8192), Cause.TOO_LONG, "bad_answer"),
    "llama.cpp too long, with 500": (
        500, error("the request exceeds the available context size", code=500), Cause.TOO_LONG, "bad_answer"),
    "llama.cpp loading": (
        503, error("Loading model", type="unavailable_error", code=503), Cause.OVERLOADED, "server_error"),
    "llama.cpp batch": (
        500, error("input (681 tokens) is too large to process. increase the physical batch size"),
        Cause.TOO_LONG, "bad_answer"),
    "llama.cpp wrong key": (
        401, error("Invalid API Key", type="authentication_error"), Cause.WRONG_KEY, "rejected_key"),
    # LM Studio: lreuss07/secintel-ai#1, lmstudio-ai/lmstudio-bug-tracker#546
    "lm studio too long": (
        400, {"error": "Cannot truncate prompt with n_keep (14169) >= n_ctx (4096)"}, Cause.TOO_LONG, "bad_answer"),
    "lm studio too long, older": (
        400, {"error": "Trying to keep the first 111490 tokens when context the overflows. However, the model is "
              "loaded with context length of only 32768 tokens"}, Cause.TOO_LONG, "bad_answer"),
    "lm studio no model": (
        404, error("No models loaded. Please load a model in the developer page.", code="model_not_found"),
        Cause.MODEL_GONE, "model_not_found"),
    # Others: TGI, DashScope, Groq, Mistral
    "tgi too long": (
        422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 inputs "
              "tokens + max_new_tokens", "error_type": "validation"}, Cause.TOO_LONG, "bad_answer"),
    "dashscope too long": (
        400, error("Range of input length should be [1, 30720]"), Cause.TOO_LONG, "bad_answer"),
    "dashscope no money": (400, error("Access denied", code="Arrearage"), Cause.NO_MONEY, "rejected_key"),
    "groq too long": (413, error("Request too large for model `x` in organization"), Cause.TOO_LONG, "bad_answer"),
    "groq decommissioned": (
        400, error("The model `x` has been decommissioned", code="model_decommissioned"), Cause.MODEL_GONE,
        "model_not_found"),
    "mistral model gone": (
        400, {"object": "error", "message": "Invalid model: x", "type": "invalid_model"}, Cause.MODEL_GONE,
        "model_not_found"),
    "a gateway's page": (502, b"<html><h1>502 Bad Gateway</h1></html>", Cause.OVERLOADED, "server_error"),
    "a page that is no api": (405, b"<html>Method Not Allowed</html>", Cause.WRONG_ADDRESS, "bad_answer"),
    "a gateway's timeout": (504, b"", Cause.TIMEOUT, "server_error"),
    # https://docs.x.ai, https://www.ibm.com/docs/en/watsonx, https://docs.anthropic.com/en/api/errors
    "too long, of xAI": (400, error("This model's maximum prompt length is 131072 but the request contains 140000 "
        "tokens."), Cause.TOO_LONG, "bad_answer"),
    "too long, of watsonx": (400, error("the number of input tokens 5000 cannot exceed the total tokens limit 4096 for "
        "this model"), Cause.TOO_LONG, "bad_answer"),
    "too long, Anthropic's second": (400, error("input length and `max_tokens` exceed context limit: 190000 + 20000 > "
        "200000, decrease input length or `max_tokens` and try again"), Cause.TOO_LONG, "bad_answer"),
    "no such model, of Zhipu": (400, {"error": {"code": "1211", "message": "模型不存在，请检查模型代码。"}},
        Cause.MODEL_GONE, "model_not_found"),
    "words of nobody": (400, error("I am a teapot"), Cause.REFUSED_REQUEST, "bad_answer"),
}  # fmt: skip


@pytest.mark.parametrize(("status", "said", "cause", "reason"), MEANINGS.values(), ids=list(MEANINGS))
def test_an_error_has_its_meaning(status: int, said: Any, cause: Cause, reason: str) -> None:
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    failure = failure_of(status, {}, body)
    assert (failure.cause, failure.reason) == (cause, reason)
    assert failure.too_long == (cause is Cause.TOO_LONG)
    assert failure.unsupported is None


UNSUPPORTED: list[tuple[int, Any, str]] = [
    (400, error("Unsupported value: 'temperature' does not support 0.4 with this model.", param="temperature"),
     "temperature"),
    (400, {"message": "temperature is not supported for this model"}, "temperature"),
    (400, {"error": "Unsupported parameter: temperature"}, "temperature"),
    (422, {"detail": "temperature: Extra inputs are not permitted"}, "temperature"),
    (422, {"detail": [{"loc": ["body", "temperature"], "msg": "Extra inputs are not permitted",
                       "input": {"max_tokens": 1000}}]}, "temperature"),
    (400, {"detail": [{"loc": ["body", "max_tokens"], "msg": "extra fields not permitted"}]}, "max_tokens"),
    (400, error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), "max_tokens"),
    (400, error("max_tokens is too large: 1000. This model supports at most 512 completion tokens"), "max_tokens"),
    (400, error("Provider returned error", metadata={"raw": '{"error": {"message": "temperature is deprecated"}}'}),
     "temperature"),
    (400, b"temperature must be between 0 and 1", "temperature"),
    # vllm-project/vllm#2964, #6862; microsoft/autogen#1037; EricLBuehler/mistral.rs#506
    (400, {"object": "error", "message": "System role not supported", "code": 400}, "system"),
    (400, error("Conversation roles must alternate user/assistant/user/assistant/..."), "system"),
    (500, error("Only user and assistant roles are supported!"), "system"),
    (400, error("Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                param="messages[0].role"), "system"),
    (400, error("Developer instruction is not enabled for models/gemma-3-27b-it"), "system"),
    (400, error("Model does not support matryoshka representation, changing output dimensions"), "dimensions"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "said", "name"), UNSUPPORTED)
def test_what_a_model_does_not_take_is_known_wherever_it_is_said(status: int, said: Any, name: str) -> None:
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    failure = failure_of(status, {}, body)
    assert (failure.unsupported, failure.cause) == (name, Cause.REFUSED_REQUEST)


@pytest.mark.parametrize(
    ("headers", "said", "seconds"),
    [
        ({"Retry-After": "17"}, {}, 17.0),
        ({"Retry-After": "1.5"}, {}, 1.5),
        ({"Retry-After-Ms": "250"}, {}, 0.25),
        ({}, GEMINI_LIMIT, 34.0),
        ({}, error("Please try again in 1m20.5s."), 80.5),
        ({}, error("Please try again in 350ms."), 0.35),
        ({}, error("Please retry in 37.8s"), 37.8),
        ({"Retry-After": "soon"}, {}, None),
        ({"Retry-After": "-5"}, {}, None),
        ({"Retry-After": "nan"}, {}, None),
    ],
)
def test_the_wait_is_read_wherever_it_is_said(headers: dict[str, str], said: Any, seconds: float | None) -> None:
    assert failure_of(429, headers, json.dumps(said).encode()).retry_after == seconds


def test_what_the_owner_must_mend_is_not_tried_again() -> None:
    lasting = {name for name, (status, said, _, _) in MEANINGS.items() if not isinstance(said, bytes)
               and not failure_of(status, {}, json.dumps(said).encode()).may_pass}  # fmt: skip
    assert {"openai no money", "gemini wrong key", "anthropic no money", "ollama model gone"} <= lasting
    assert not {"openai slow down", "gemini slow down", "llama.cpp loading", "openai too long"} & lasting

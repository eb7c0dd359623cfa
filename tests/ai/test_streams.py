"""A model's words while they come: each vendor's stream, and what ends it."""

import threading
from typing import Any

import pytest

from apps.ai.drivers import DRIVERS, CompletionRequest, Endpoint, StreamStopped
from apps.ai.drivers.failures import ProviderFailed
from apps.ai.rules.prompts import PromptMessage
from apps.demo.servers.language_models import Vendor, chat, spoken, streamed, wants_stream
from apps.demo.servers.played import PlayedRequest, Says
from apps.egress.call_budget import CallBudget

WORDS = "Розы по 90 рублей. Доставка завтра."


def completes(code: str, vendor: Vendor, **options: Any) -> Any:
    path = "" if code in ("anthropic", "gemini") else "/v1"
    request = CompletionRequest(
        purpose="draft",
        model="m-1",
        system="Ты Флора.",
        turns=[PromptMessage("user", "Сколько стоят розы?")],
        temperature=0.2,
        max_tokens=1_000,
        **options,
    )
    budget = CallBudget(operations=3, seconds=20)
    return DRIVERS[code].complete(Endpoint(f"{vendor.url}{path}", "k"), request, budget=budget)


@pytest.mark.parametrize("code", DRIVERS)
class TestEachVendor:
    def test_tells_the_words_so_far_before_the_answer_has_ended(self, code: str, vendor: Vendor) -> None:
        heard = threading.Event()
        told: list[str] = []

        def hears(text: str) -> None:
            told.append(text)
            heard.set()

        vendor.answer = lambda asked: streamed(asked, WORDS, between=lambda: heard.wait(10))
        made = completes(code, vendor, on_text=hears)
        assert wants_stream(vendor.asked[0])
        assert (made.text, made.prompt_tokens, made.completion_tokens) == (WORDS, 11, 7)
        assert told[0] == "Розы"
        assert all(WORDS.startswith(text) for text in told)

    def test_gives_the_whole_answer_where_it_does_not_stream(self, code: str, vendor: Vendor) -> None:
        told: list[str] = []
        vendor.answer = lambda asked: spoken(asked, WORDS)
        assert completes(code, vendor, on_text=told.append).text == WORDS
        assert told == []

    def test_is_not_asked_to_stream_where_nobody_listens(self, code: str, vendor: Vendor) -> None:
        vendor.answer = lambda asked: spoken(asked, WORDS)
        completes(code, vendor)
        assert not wants_stream(vendor.asked[0])

    def test_is_left_where_nobody_wants_more(self, code: str, vendor: Vendor) -> None:
        def enough(text: str) -> None:
            raise StreamStopped

        vendor.answer = lambda asked: streamed(asked, WORDS)
        with pytest.raises(StreamStopped):
            completes(code, vendor, on_text=enough)

    def test_that_breaks_off_has_failed(self, code: str, vendor: Vendor) -> None:
        def broken(request: PlayedRequest) -> Says:
            whole = b"".join(streamed(request, WORDS).body)
            return Says(iter([whole[: len(whole) // 2]]))

        vendor.answer = broken
        with pytest.raises(ProviderFailed) as failed:
            completes(code, vendor, on_text=lambda text: None)
        assert failed.value.reason == "bad_answer"


def test_a_server_that_takes_no_stream_options_is_asked_without(vendor: Vendor) -> None:
    def answer(request: PlayedRequest) -> Any:
        if "stream_options" in request.json:
            return Says({"error": {"message": "Unrecognized request argument: stream_options"}}, 400)
        return streamed(request, WORDS) if wants_stream(request) else chat(WORDS)

    vendor.answer = answer
    assert completes("openai_compatible", vendor, on_text=lambda text: None).text == WORDS
    assert len(vendor.asked) == 2


def test_thoughts_are_told_to_nobody(vendor: Vendor) -> None:
    told: list[str] = []
    vendor.answer = lambda asked: streamed(asked, f"<think>Роза? {WORDS}</think> Да.")
    assert completes("openai_compatible", vendor, on_text=told.append).text == "Да."
    assert told in ([], ["Да."])

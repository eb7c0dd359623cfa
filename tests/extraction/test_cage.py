"""The cage of `extraction`: whatever a parser does in there, its caller has a code in time, and goes on."""

import os
import threading
import time

import pytest

from apps.extraction import Cage, ExtractionFailed
from apps.extraction.sandbox_process import MAX_SECONDS

FAULTS = "tests.extraction.caged_faults"


def code_of(cage: Cage, function: str, *, seconds: float = MAX_SECONDS) -> str:
    with pytest.raises(ExtractionFailed) as failed:
        cage.call(f"{FAULTS}:{function}", b"", seconds=seconds)
    assert failed.value.detail.endswith(".")
    return failed.value.code


def test_a_function_gets_bytes_and_options_and_answers_data() -> None:
    with Cage() as cage:
        for text in ("привет", "x" * 3_000_000, ""):
            assert cage.call(f"{FAULTS}:echo", text.encode(), {"a": 1}) == [text, {"a": 1}]


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("crash", "crashed"),
        ("leave", "crashed"),
        ("hunger", "limits_exceeded"),
        ("deep", "limits_exceeded"),
        ("many_words", "limits_exceeded"),
        ("raise_error", "unreadable"),
        ("no_such_function", "unreadable"),
    ],
)
def test_what_ends_badly_has_a_code_and_the_next_call_is_served(function: str, code: str) -> None:
    with Cage() as cage:
        assert code_of(cage, function) == code
        assert cage.call(f"{FAULTS}:echo", b"next") == ["next", {}]


@pytest.mark.slow
def test_an_endless_loop_ends_by_its_limit_of_cpu() -> None:
    started = time.monotonic()
    with Cage() as cage:
        assert code_of(cage, "loop") == "limits_exceeded"
    assert time.monotonic() - started < 25


def test_what_only_waits_ends_by_the_clock_and_takes_its_processes_along() -> None:
    with Cage() as cage:
        assert code_of(cage, "sleep", seconds=1) == "limits_exceeded"
        assert cage.call(f"{FAULTS}:echo", b"next") == ["next", {}]


def test_a_long_request_to_a_cage_that_dies_ends_in_time() -> None:
    with Cage() as cage, pytest.raises(ExtractionFailed):
        cage.call(f"{FAULTS}:leave", b"x" * 10_000_000)


def test_it_has_nothing_of_the_service() -> None:
    os.environ["CAGE_TEST_SECRET"] = "secret"
    with open("/dev/null") as file:  # noqa: PTH123
        os.set_inheritable(file.fileno(), True)
        with Cage(preload=("apps.extraction.sandbox.formats",)) as cage:
            facts = cage.call(f"{FAULTS}:facts", b"")
    del os.environ["CAGE_TEST_SECRET"]
    assert not set(facts["environment"]) - {"LC_CTYPE"}
    assert facts["files"] == [0, 1, 2]
    assert facts["modules"] == []


def test_cages_of_many_threads_do_not_wait_for_each_other_for_ever() -> None:
    answers: list[object] = []

    def work() -> None:
        with Cage() as cage:
            answers.extend(cage.call(f"{FAULTS}:echo", b"x")[0] for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == ["x"] * 12

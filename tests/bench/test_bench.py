"""The benchmarks end to end with tiny numbers: what they print, and that they compare like with like."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.cases import CASES, DifferentAnswers, Request, compare
from bench.cpu import FOREIGN_LIMIT
from bench.data import LONG_TALK, Size, needles, talk_lengths
from bench.report import BUSY, table, verdict
from config.environment import PROJECT_ROOT

LIST = Request("/api/v1/chats?limit=20")
POST = Request("/api/v1/chats/1/messages", "POST", b"{}")


@pytest.mark.e2e
@pytest.mark.timeout(180)
def test_a_quick_run_measures_every_case_beside_its_reference(outside: dict[str, str], tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    names = [argument for case in CASES for argument in ("--only", case.name)]
    tiny = ["--quick", "--rounds", "2", "--seconds", "0.3", "--sizes", "200:4000,400:8000"]
    run = bench([*names, "--only", "latencies", "--neighbours", *tiny, "--json", str(figures)], outside)
    assert run.returncode == 0, run.stderr
    for expected in ("200 chats, 4,000 messages", "400 chats, 8,000 messages", "Growth of the product", "goals met"):
        assert expected in run.stdout
    document = json.loads(figures.read_text())
    assert [size["chats"] for size in document["sizes"]] == [200, 400]
    assert {(one["chats"], one["messages"]) for one in document["latencies"]} == {(200, 4000), (400, 8000)}
    assert len({one["title"] for one in document["latencies"]}) == len(document["latencies"]) // 2 == len(needles()) + 5
    assert all(one["ms"] > 0 and one["reference_ms"] > 0 for one in document["latencies"])
    for size in document["sizes"]:
        assert [measured["case"] for measured in size["cases"]] == [case.name for case in CASES]
        for measured in size["cases"]:
            assert_measured(measured)


def assert_measured(measured: dict[str, Any]) -> None:
    assert measured["same_answers"] > 0
    assert len(measured["product"]) == len(measured["reference"]) == len(measured["ratios"]) == 2
    assert measured["ratio"] > 0
    assert measured["counts"] is (measured["foreign_cores"] <= FOREIGN_LIMIT)
    for round_ in (*measured["product"], *measured["reference"]):
        assert round_["requests"] >= 16
        assert round_["web"] > 0
        assert round_["p50_ms"] <= round_["p95_ms"]


@pytest.mark.parametrize("sizes", ["10", "200:4000,100:4000", "200:100", "a:b"])
def test_sizes_that_make_no_sense_are_refused(outside: dict[str, str], sizes: str) -> None:
    run = bench(["--sizes", sizes], outside)
    assert run.returncode == 2
    assert "--sizes" in run.stderr


def bench(arguments: list[str], environ: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments],
        cwd=PROJECT_ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_same_list_passes() -> None:
    compare(LIST, 200, (200, b'{"data":[1]}'), (200, b'{"data":[1]}'))


@pytest.mark.parametrize(
    ("product", "reference"),
    [
        ((200, b'{"data":[1]}'), (200, b'{"data":[2]}')),
        ((200, b'{"data":[]}'), (200, b'{"data":[]}')),
        ((404, b'{"data":[1]}'), (200, b'{"data":[1]}')),
        ((500, b'{"data":[1]}'), (500, b'{"data":[1]}')),
    ],
    ids=["other rows", "no rows", "other statuses", "a status that is not the case's"],
)
def test_lists_that_differ_are_not_compared(product: tuple[int, bytes], reference: tuple[int, bytes]) -> None:
    with pytest.raises(DifferentAnswers):
        compare(LIST, 200, product, reference)


def test_a_new_message_may_have_another_id_and_no_other_chat() -> None:
    first = (202, b'{"data":{"message_id":7,"chat_id":1}}')
    compare(POST, 202, first, (202, b'{"data":{"message_id":8,"chat_id":1}}'))
    for other in (b'{"data":{"message_id":8,"chat_id":2}}', b'{"data":{"message_id":null,"chat_id":1}}'):
        with pytest.raises(DifferentAnswers):
            compare(POST, 202, first, (202, other))


@pytest.mark.parametrize("size", [Size(100, 1000), Size(200, 4000), Size(10_000, 100_000), Size(12_345, 234_567)])
def test_a_tenant_has_as_many_messages_as_asked_for(size: Size) -> None:
    length = talk_lengths(size)
    lengths = [length(number) for number in range(size.chats)]
    assert sum(lengths) == size.messages
    assert max(lengths) == lengths[0] == LONG_TALK


def test_a_busy_machine_gives_no_verdict() -> None:
    assert verdict(value=2.0, goal=2.2, counts=True) == "met"
    assert verdict(value=2.3, goal=2.2, counts=True) == "missed"
    assert verdict(value=2.0, goal=2.2, counts=False) == BUSY


def test_a_table_is_aligned() -> None:
    assert table(["case", "x"], [["a", "1"], ["long name", "20"]]) == (
        "case        x\n---------  --\na           1\nlong name  20\n"
    )

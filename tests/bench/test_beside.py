"""Two checkouts in turns: a small run of this one beside itself, and what is said of a folder that is none."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench.beside import Beside, Side
from bench.cpu import stopped, tree
from bench.options import AS_A_RULE, MESSENGERS, NAMES, ONLY_BY_NAME, REPLIES
from bench.report import beside_table
from bench.turns import numbers
from config.environment import PROJECT_ROOT

TINY = ["--quick", "--rounds", "2", "--seconds", "0.3", "--sizes", "200:4000"]
OF_POSTS = {"requests a second", "p50 ms", "p95 ms", "CPU of all, ms a request", "of web", "of PostgreSQL"}


def bench(arguments: list[str], environ: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_checkout_beside_itself(outside: dict[str, str], tmp_path: Path) -> None:
    found, names = tmp_path / "figures.json", ["post", "post-visitor-ai", MESSENGERS, REPLIES]
    only = [argument for name in names for argument in ("--only", name)]
    run = bench(["--beside", str(PROJECT_ROOT), *only, *TINY, "--json", str(found)], outside)
    assert run.returncode == 0, run.stderr
    beside: dict[str, Any] = json.loads(found.read_text())["beside"]
    assert beside["failed"] == {}
    assert list(beside["figures"]) == names
    assert [side["folder"] for side in beside["sides"]] == [str(PROJECT_ROOT)] * 2
    for name, figures in beside["figures"].items():
        assert len(beside["foreign_cores"][name]) == 4
        if name.startswith("post"):
            assert figures.keys() == OF_POSTS
        for figure, pairs in figures.items():
            assert len(pairs) == 2, (name, figure)
            assert all(value >= 0 for pair in pairs for value in pair)
    assert all(min(pair) > 0 for pair in beside["figures"][MESSENGERS]["sends a second"])
    assert all(min(pair) > 0 for pair in beside["figures"][REPLIES]["of the worker"])
    assert run.stdout.startswith("Two checkouts in turns, medians of 2 rounds\n")


@pytest.mark.e2e
@pytest.mark.slow
def test_a_product_that_does_not_start_is_named(outside: dict[str, str], tmp_path: Path) -> None:
    for name in ("manage.py", "Procfile"):
        (tmp_path / name).write_text("")
    run = bench(["--beside", str(tmp_path), "--only", "post", *TINY], outside)
    assert run.returncode == 0, run.stderr
    assert f"post was not measured: {tmp_path.name}: ModuleNotFoundError: No module named 'config'" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--beside", "/"], "/ is no checkout of this project"),
        (["--beside", str(PROJECT_ROOT), "--only", "together", "--rival"], "--rival stands beside one product"),
    ],
)
def test_what_makes_no_sense_beside_is_refused(outside: dict[str, str], arguments: list[str], said: str) -> None:
    run = bench(arguments, outside)
    assert run.returncode == 2
    assert said in run.stderr


def test_a_ratio_is_that_of_each_round() -> None:
    side = Side("a1b2c3d", PROJECT_ROOT, Path(sys.executable), "Python 3.11.2, optimised by a profile")
    pairs = [(100.0, 50.0), (90.0, 60.0), (80.0, 50.0)]
    measured = Beside((side, side), {"post": {"requests a second": pairs}}, {"post": [0.1, 0.3, 0.2, 0.2, 0.1, 0.9]})
    (line,) = [line for line in beside_table(measured).splitlines() if line.startswith("post")]
    assert line.split()[1:] == [
        *("requests", "a", "second", "90", "50", "1.600", "x", "1.500", "to", "2.000"),
        *("0.20", "(0.10", "to", "0.90)"),
    ]


def test_numbers_of_a_document_are_named_by_where_they_stand() -> None:
    document = {"a": 1, "b": {"c": 2.5, "d": "text"}, "e": [3, {"f": None}], "g": True}
    assert numbers(document) == {"a": 1.0, "b c": 2.5, "e 0": 3.0}


def test_what_is_measured_beside_as_a_rule_is_known() -> None:
    assert set(AS_A_RULE) <= {*NAMES, *ONLY_BY_NAME}


def test_processes_stand_still_while_their_queue_is_filled() -> None:
    spin = "import os, time\nos.fork()\nwhile True: time.sleep(0.001)"
    process = subprocess.Popen([sys.executable, "-c", spin], start_new_session=True)
    try:
        while len(tree(process.pid)) < 2:
            time.sleep(0.01)
        pids = list(tree(process.pid))
        with stopped(process.pid):
            assert [state_of(pid) for pid in pids] == ["T", "T"]
        while "T" in [state_of(pid) for pid in pids]:
            time.sleep(0.01)
    finally:
        os.killpg(process.pid, 9)
        process.wait()


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]

"""The benchmarks end to end with tiny numbers: what they print, and that they compare like with like."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from bench.cases import CASES, DifferentAnswers, Request, compare
from bench.console import Console, Consoles, Crowd, Inbox, Spread
from bench.cpu import FOREIGN_LIMIT
from bench.data import LONG_TALK, RAREST, Size, searches, speech, talk_lengths, vocabulary
from bench.figures import Figures
from bench.options import NAMES, STARTS, TOGETHER
from bench.report import BUSY, Outcome, growth_table, summary, table, verdict
from bench.rounds import Result
from bench.rounds import Round as LoadRound
from bench.sweeps import Round, Sweep
from bench.together import JUDGED, Much, Sample, Together, differences
from bench.transcripts import Transcript, Transcripts
from bench.trips import Trace
from config.environment import PROJECT_ROOT
from launcher.interpreter import build, told

LIST = Request("/api/v1/chats?limit=20")
POST = Request("/api/v1/chats/1/messages", "POST", b"{}")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of all benchmarks but the starts: what it printed, and its figures."""

    output: str
    figures: dict[str, Any]


@pytest.fixture(scope="module")
def quick_run(outside: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Run:
    figures = tmp_path_factory.mktemp("bench") / "figures.json"
    names = [argument for name in (*NAMES, TOGETHER) if name != STARTS for argument in ("--only", name)]
    tiny = ["--quick", "--rounds", "1", "--seconds", "0.3", "--sizes", "200:4000", "--due", "1200"]
    tiny += ["--deliveries", "500", "--waiting", "200", "--episodes", "500", "--articles", "200", "--texts", "100"]
    tiny += ["--inboxes", "300:150", "--together", "10:5:50:4"]
    run = bench([*names, "--neighbours", *tiny, "--json", str(figures)], outside)
    assert run.returncode == 0, run.stderr
    return Run(run.stdout, json.loads(figures.read_text()))


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(900)
class TestAQuickRun:
    def test_measures_every_case_beside_its_reference(self, quick_run: Run) -> None:
        sizes = quick_run.figures["sizes"]
        assert [(size["chats"], size["messages"]) for size in sizes] == [(200, 4000)]
        for size in sizes:
            assert [measured["case"] for measured in size["cases"]] == [case.name for case in CASES]
            for measured in size["cases"]:
                assert_measured(measured)

    def test_measures_single_answers(self, quick_run: Run) -> None:
        latencies = quick_run.figures["latencies"]
        assert {(one["chats"], one["messages"]) for one in latencies} == {(200, 4000)}
        assert len({one["title"] for one in latencies}) == len(latencies) == len(searches()) + 5
        assert all(one["ms"] > 0 and one["reference_ms"] > 0 for one in latencies)

    def test_measures_sweeps(self, quick_run: Run) -> None:
        sweeps = quick_run.figures["sweeps"]
        assert [sweep["sweep"] for sweep in sweeps] == ["quiet", "told"]
        for sweep in sweeps:
            assert sweep["chats"] == 1200
            assert sweep["product"][0]["seconds"] * 1000 > sweep["longest_ms"] > 0, "a batch is shorter than the sweep"
            assert sweep["product"][0]["postgres"] > 0

    def test_measures_the_router_and_posting_beside_it(self, quick_run: Run) -> None:
        routing, posts = quick_run.figures["routing"], quick_run.figures["routed_posts"]
        assert (routing["waiting"], routing["operators"], routing["offers"]) == (200, 10, 100)
        assert routing["filled"] >= 45
        assert {way: len(posts[way]) for way in ("on", "off", "without")} == {"on": 1, "off": 1, "without": 1}

    def test_measures_automations_reports_articles_and_the_knowledge_base(self, quick_run: Run) -> None:
        figures = quick_run.figures
        assert figures["automations"]["worker_ms"] > 0
        assert figures["reports"]["episodes"] == 500
        assert figures["articles"]["articles"] == 200
        speed = figures["knowledge_speed"]
        assert list(speed["searches"]) == ["100"]
        assert min(speed["embedded_a_second"], speed["pages_a_minute"], speed["cage_mib"]) > 0

    def test_tells_how_its_python_was_built(self, quick_run: Run) -> None:
        assert quick_run.figures["python"] == build()
        assert quick_run.output.count(f"\n{told(build())}\n") == len(NAMES) - len(CASES) + 1, "a table each"

    def test_measures_deliveries_by_each_way(self, quick_run: Run) -> None:
        measured = quick_run.figures["deliveries"]
        assert [one["delay_ms"] for one in measured] == [0, 50]
        for one in measured:
            assert {way: rounds[0]["deliveries"] for way, rounds in one["ways"].items()} == {
                "product": 500,
                "poster": 500,
                "plain": 20,
            }
            assert all(rounds[0]["cpu"] >= 0 < rounds[0]["seconds"] for rounds in one["ways"].values())

    def test_measures_transcripts_which_are_not_written_ahead_of_their_reader(self, quick_run: Run) -> None:
        short, long = quick_run.figures["transcripts"][0]["transcripts"]
        assert (short["messages"], long["messages"]) == (5_000, 50_000)
        assert 0 < long["first_ms"] < long["total_ms"]
        assert 9 < long["size"] / short["size"] < 11
        assert long["growth_mib"] - short["growth_mib"] < long["size"] / 1024**2

    def test_measures_the_console_with_each_inbox_beside_a_bare_server(self, quick_run: Run) -> None:
        consoles = quick_run.figures["consoles"]
        assert [console["inbox"] for console in consoles["inboxes"]] == [{"chats": 300, "open": 150}]
        for console in consoles["inboxes"]:
            assert len(console["answers"]) == 8
            assert all(ms > 0 for ms in console["answers"].values())
            assert all(console["crowd"][name]["p50"] > 0 for name in ("rows", "messages", "posting"))
        assert consoles["reference"]["rows"]["p50"] > 0

    def test_loses_doubles_and_refuses_nothing_of_all_of_it_together(self, quick_run: Run) -> None:
        """P9 and R13: what must be so at any speed."""
        together = quick_run.figures["together"]
        assert together["wrong"] == []
        counts = {name: spread["count"] for name, spread in together["spreads"].items()}
        assert (counts["posts"], counts["reads"]) == (40, 20)
        assert counts["deliveries"] == 40 <= counts["frames"], "a visitor may have two tabs"
        assert together["growth"].keys() == {*JUDGED, "PostgreSQL", "Valkey"}
        assert all(growth > 0 for growth in together["growth"].values())
        assert together["cores"].keys() == {*JUDGED, "PostgreSQL", "Valkey", "the load"}

    def test_prints_what_it_measured(self, quick_run: Run) -> None:
        for expected in (
            "200 chats, 4,000 messages",
            "1,200 due chats swept",
            "closings told to one receiver",
            "50,000 messages",
            "bare poster",
            "nothing was lost, doubled, out of order or refused",
            "goals met",
        ):
            assert expected in quick_run.output


def assert_measured(measured: dict[str, Any]) -> None:
    assert measured["same_answers"] > 0
    assert len(measured["product"]) == len(measured["reference"]) == len(measured["ratios"]) == 1
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


def test_words_are_said_in_proportion_to_their_rank() -> None:
    words, said = vocabulary(), Counter(speech())
    assert set(said) == set(words)
    assert said[words[-1]] >= RAREST
    assert said[words[0]] == len(words) * RAREST
    assert said.total() == pytest.approx(sum(len(words) * RAREST / rank for rank in range(1, len(words) + 1)), rel=0.05)


@pytest.mark.parametrize("inboxes", ["100", "a:b", "149:149", "200:300", "300:200,200:200", "300:200,400:150"])
def test_inboxes_that_make_no_sense_are_refused(outside: dict[str, str], inboxes: str) -> None:
    run = bench(["--inboxes", inboxes], outside)
    assert run.returncode == 2
    assert "--inboxes" in run.stderr


@pytest.mark.parametrize("much", ["150:50:2000", "0:50:2000:600", "1:1:10:1", "10:10:0:60", "a:b:c:d"])
def test_too_little_together_is_refused(outside: dict[str, str], much: str) -> None:
    run = bench(["--together", much], outside)
    assert run.returncode == 2
    assert "--together" in run.stderr


STORED = {7: [1, 3], 8: [2]}
DELIVERED = [(name, "delivered", 1) for name in ("a", "b", "c")]
SEEN: dict[str, Any] = {
    "posted": {"7": [3, 1], "8": [2]},
    "shown": [(7, [1, 3]), (7, [1, 3]), (8, [2])],
    "heard": ["b", "a", "c"],
    "heard_ids": [3, 1, 2],
    "refused": {},
    "closed": 0,
    "unsigned": 0,
}


def test_what_everybody_knows_alike_is_as_it_must_be() -> None:
    assert differences(STORED, DELIVERED, SEEN) == []


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        ({"refused": {"a post: 503": 2}}, "2 answers were not as they must be, first 'a post: 503'"),
        ({"closed": 1}, "1 sockets were closed"),
        ({"posted": {"7": [1], "8": [2]}}, "1 chats hold other messages than were answered for, first 7"),
        ({"shown": [(7, [3, 1])]}, "1 tabs did not show each message of their chat once and in order, first 7"),
        ({"shown": [(7, [1, 3, 3])]}, "1 tabs did not show each message of their chat once and in order, first 7"),
        ({"heard": ["a", "b"]}, "1 deliveries were not heard, or not known, first 'c'"),
        ({"heard": ["a", "b", "c", "a"]}, "1 deliveries were heard again"),
        ({"heard_ids": [1, 2]}, "1 messages, of 3, were not told of once"),
        ({"heard_ids": [1, 2, 3, 3]}, "1 messages, of 3, were not told of once"),
        ({"unsigned": 3}, "3 deliveries had no valid signature"),
    ],
)
def test_what_is_lost_doubled_out_of_order_or_refused_is_said(seen: dict[str, Any], said: str) -> None:
    assert differences(STORED, DELIVERED, SEEN | seen) == [said]


def test_deliveries_that_took_more_than_one_attempt_are_said() -> None:
    again = [*DELIVERED[:2], ("c", "delivered", 2)]
    assert differences(STORED, again, SEEN) == [
        "1 deliveries, of 3, were not made at the first attempt, first ('c', 'delivered', 2)"
    ]


def test_all_of_it_together_is_judged_by_four_times_and_the_memory_of_each_process() -> None:
    much = Much(150, 50, 2_000, 600)
    samples = [
        Sample(at, dict.fromkeys(JUDGED, kib), dict.fromkeys(JUDGED, 9), due=0, oldest_s=0.0, connections=9)
        for at, kib in ((0.0, 900), (30.0, 1000), (60.0, 1000), (300.0, 9000), (540.0, 1200), (600.0, 1200))
    ]
    spread = {"p50": 9.0, "p95": 90.0, "p99": 99.0, "most": 99.0, "count": 9.0}
    spreads = dict.fromkeys(("posts", "frames", "deliveries", "reads", "late"), spread)
    together = Together(much, spreads, {}, samples, {}, foreign_cores=0.1, load=1.0)
    assert together.growth("web") == 1.2
    figures = Figures(together=together)
    assert summary(figures.outcomes()) == "3 of 8 goals met, 5 missed"


def test_a_rival_without_all_of_it_together_is_refused(outside: dict[str, str]) -> None:
    run = bench(["--only", "post", "--rival"], outside)
    assert run.returncode == 2
    assert "--rival goes with --only together" in run.stderr


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


def test_a_sweep_is_judged_by_all_its_cpu_and_its_longest_lock() -> None:
    ours = [sweep_round(client=0.5, postgres=1.0, longest_ms=40.0), sweep_round(client=1.0, postgres=1.0)]
    theirs = [sweep_round(postgres=1.0), sweep_round(postgres=1.0)]
    sweep = Sweep("quiet", "closings nobody is told of", 1000, ours, theirs)
    assert (sweep.ratios, sweep.ratio, sweep.longest_ms) == ([1.5, 2.0], 1.75, 40.0)
    figures = Figures(sweeps=[sweep])
    assert figures.outcomes() == [Outcome(1.75, 1.5, 0.1), Outcome(40.0, 100.0, 0.1)]
    assert summary(figures.outcomes()) == "1 of 2 goals met, 1 missed"


def sweep_round(*, client: float = 0.0, postgres: float = 0.0, longest_ms: float = 9.0) -> Round:
    return Round(client, postgres, valkey=0.0, seconds=1.0, longest_ms=longest_ms, foreign_cores=0.1)


def test_the_memory_of_a_transcript_counts_on_a_busy_machine_too() -> None:
    short, long = (
        Transcript(n, n * 100, 9.0, 90.0, mib, foreign_cores=1.0) for n, mib in ((5_000, 0.5), (50_000, 4.0))
    )
    figures = Figures(transcripts=[(Size(100, 1000), Transcripts(short, long))])
    assert summary(figures.outcomes()).startswith("0 of 2 goals met, 1 missed; 1 measured on a machine too busy")


def test_live_frames_are_judged_by_rows_and_by_messages() -> None:
    crowd = Crowd(9, Spread(9.0, 90.0, 99.0), Spread(9.0, 110.0, 120.0), None, cores=0.2, foreign_cores=0.1)
    measured = Console(Inbox(1_000, 1_000), {"ready, any other": 9.0}, crowd)
    figures = Figures(consoles=Consoles([measured], crowd, socket_kib=50.0, bare_socket_kib=20.0))
    assert summary(figures.outcomes()) == "1 of 2 goals met, 1 missed"


def test_growth_is_told_as_times_of_the_first_size() -> None:
    small, large = (
        Result(CASES[0], 20, [LoadRound(16, 9.0, p50, p50, web=web, postgres=0.1, valkey=0.1, foreign_cores=0.1)], [])
        for p50, web in ((2.0, 0.8), (3.0, 1.8))
    )
    printed = growth_table([(Size(200, 4000), [small]), (Size(400, 8000), [large])])
    assert "CPU 1.00 x, p50 1.00 x     CPU 2.00 x, p50 1.50 x" in printed


def test_a_table_is_aligned() -> None:
    assert table(["case", "x"], [["a", "1"], ["long name", "20"]]) == (
        "case        x\n---------  --\na           1\nlong name  20\n"
    )


def test_a_return_is_a_move_to_a_file_that_was_left_before() -> None:
    path = ["apps/a.py", "apps/a.py", "apps/core/c.py", "apps/b.py", "apps/core/c.py", "apps/a.py", "config/d.py"]
    trip = Trace(files=path).trip("there and back")
    assert (trip.files, trip.moves, trip.returns) == (4, 5, 2)
    assert trip.entered == {"apps/a.py": 2, "apps/core/c.py": 2, "apps/b.py": 1, "config/d.py": 1}
    assert trip.above_core == (2, 1)

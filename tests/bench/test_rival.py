"""The rival beside the product: what is printed of both, and that it is measured where it is installed."""

import pytest

from bench.report import rival_table
from bench.rival import Rival, measure_rival, why_not
from bench.rival_traffic import Seen
from bench.together import Much, Together

MUCH = Much(150, 50, 2_000, 600)
QUICK = {"p50": 4.0, "p95": 73.0, "p99": 197.0, "most": 250.0, "count": 90_000.0}
OURS = {"web": 0.47, "PostgreSQL": 0.35, "the load": 0.07}
THEIRS = {"ejabberd": 0.09, "PostgreSQL": 0.03, "the load": 0.02}


def test_both_stand_in_one_table_with_the_cpu_of_a_message() -> None:
    together = Together(MUCH, {"frames": QUICK | {"p50": 21.0}}, OURS, [], {}, foreign_cores=0.0, load=1.0)
    rival = Rival(MUCH, QUICK, QUICK, THEIRS, foreign_cores=0.5, wrong=["2 messages did not come"])
    assert rival.cpu_ms == pytest.approx(0.8)
    lines = rival_table(rival, together).splitlines()
    assert lines[0] == "Beside a rival: 150 messages a second, 2,000 sockets"
    ours, theirs = (next(line for line in lines if line.startswith(name)) for name in ("the product", "ejabberd"))
    assert ours.split()[8:] == ["21.0", "73.0", "197.0", "250.0", "5.47", "web", "0.47,", "PostgreSQL", "0.35"]
    assert theirs.split()[5:] == ["4.0", "73.0", "197.0", "250.0", "0.80", "ejabberd", "0.09,", "PostgreSQL", "0.03"]
    assert lines[-2:] == [
        "2 messages did not come",
        "others kept 0.50 cores busy: the rival's figures do not count",
    ]


def test_a_message_that_comes_twice_or_never_is_counted() -> None:
    seen = Seen()
    seen.due, seen.measured_from = [1.0, 2.0, 3.0], 1.5
    for number, now in ((0, 1.1), (2, 3.5), (2, 3.6)):
        seen.came(number, now)
    assert (seen.count, seen.twice, list(seen.times)) == (2, 1, [0.5])


@pytest.mark.slow
@pytest.mark.skipif(why_not() is not None, reason=f"{why_not()}")
def test_it_loses_and_doubles_nothing_where_it_is_installed() -> None:
    rival = measure_rival(Much(20, 1, 20, 4))
    assert rival.wrong == []
    assert rival.frames["count"] == 80

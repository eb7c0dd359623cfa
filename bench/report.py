"""The tables of a run."""

from collections.abc import Callable, Sequence

from bench.cpu import FOREIGN_LIMIT
from bench.data import Size
from bench.latencies import Latency, rows_of
from bench.rounds import Result, Round, middle
from bench.starts import Start

BUSY = "machine too busy: does not count"


def verdict(*, value: float, goal: float, counts: bool) -> str:
    """One of "met", "missed" and BUSY."""
    if not counts:
        return BUSY
    return "met" if value <= goal else "missed"


def ratio_table(results: Sequence[Result], size: Size) -> str:
    """Each case's two servers one below the other, then their ratio beside its goal."""
    heads = ["case", "", "req/s", "p50 ms", "p95 ms", "web CPU", "PostgreSQL", "Valkey", ""]
    rows: list[list[str]] = []
    for result in results:
        case = result.case
        low, high = min(result.ratios), max(result.ratios)
        rows.append([case.title, "product", *_figures(result.product), ""])
        rows.append(["", "reference", *_figures(result.reference), ""])
        outcome = verdict(value=result.ratio, goal=case.goal, counts=result.counts)
        rows.append(
            [
                "",
                "ratio",
                f"{_quotient(result, lambda r: r.rate):.2f} x",
                *(f"{_quotient(result, value):.1f} x" for value in (lambda r: r.p50_ms, lambda r: r.p95_ms)),
                f"{result.ratio:.2f} x",
                *(f"{_quotient(result, value):.1f} x" for value in (lambda r: r.postgres, lambda r: r.valkey)),
                f"{case.goal_name}: web CPU <= {case.goal} x, {outcome} (rounds {low:.2f} to {high:.2f})",
            ]
        )
    title = f"{size}: CPU in seconds per 1,000 requests, medians of {len(results[0].product)} rounds"
    return f"{title}\n\n{table(heads, rows, group=3)}"


def growth_table(grown: Sequence[tuple[Size, Sequence[Result]]]) -> str:
    """The product's CPU and latency at each size, as times of the first size's."""
    heads = ["case", *(str(size) for size, _ in grown)]
    rows = []
    base = grown[0][1]
    for index, first in enumerate(base):
        cells = [first.case.title]
        for _, results in grown:
            now, then = results[index].product, first.product
            cpu = middle(now, lambda r: r.cpu) / middle(then, lambda r: r.cpu)
            latency = middle(now, lambda r: r.p50_ms) / middle(then, lambda r: r.p50_ms)
            cells.append(f"CPU {cpu:.2f} x, p50 {latency:.2f} x")
        rows.append(cells)
    return f"Growth of the product (goal P4: lists <= 1.2 x; CPU of all servers)\n\n{table(heads, rows)}"


def start_table(starts: Sequence[Start]) -> str:
    rows = [
        [
            start.title,
            f"{start.seconds:.2f} s",
            f"P8: <= {start.goal:g} s, {verdict(value=start.seconds, goal=start.goal, counts=start.counts)}",
        ]
        for start in starts
    ]
    return f"Starts\n\n{table(['', 'took', ''], rows)}"


def latency_table(latencies: Sequence[Latency], size: Size) -> str:
    """What one caller waits for, beside plain SQL."""
    return f"{size}: answers one at a time, medians\n\n" + table(
        ["", "took", "plain SQL", ""], rows_of(latencies, verdict)
    )


def summary(results: Sequence[Result], starts: Sequence[Start], latencies: Sequence[Latency] = ()) -> str:
    """One line: how many goals were met, and whether the run counts."""
    outcomes = [verdict(value=r.ratio, goal=r.case.goal, counts=r.counts) for r in results]
    outcomes += [verdict(value=s.seconds, goal=s.goal, counts=s.counts) for s in starts]
    outcomes += [verdict(value=one.ms, goal=one.goal, counts=one.counts) for one in latencies]
    line = f"{outcomes.count('met')} of {len(outcomes)} goals met, {outcomes.count('missed')} missed"
    if busy := outcomes.count(BUSY):
        most = max(
            [r.foreign_cores for r in results]
            + [s.foreign_cores for s in starts]
            + [one.foreign_cores for one in latencies]
        )
        line += f"; {busy} measured on a {BUSY} (up to {most:.2f} foreign cores, limit {FOREIGN_LIMIT})"
    return line


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], group: int = 0) -> str:
    """Aligned columns: text to the left, numbers to the right; a blank line after every `group` rows."""
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    numeric = [all(not row[column] or row[column][0].isdigit() for row in rows) for column in range(len(heads))]
    lines = []
    for index, row in enumerate((heads, *rows)):
        cells = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        lines.append("  ".join(cells).rstrip())
        if index == 0:
            lines.append("  ".join("-" * width for width in widths))
        elif group and index % group == 0:
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _figures(rounds: list[Round]) -> list[str]:
    return [
        f"{middle(rounds, lambda r: r.rate):,.0f}",
        f"{middle(rounds, lambda r: r.p50_ms):.1f}",
        f"{middle(rounds, lambda r: r.p95_ms):.1f}",
        f"{middle(rounds, lambda r: r.web):.3f}",
        f"{middle(rounds, lambda r: r.postgres):.3f}",
        f"{middle(rounds, lambda r: r.valkey):.3f}",
    ]


def _quotient(result: Result, value: Callable[[Round], float]) -> float:
    """The product's median of a figure as times of the reference's; 0 when the reference's is too small to see."""
    theirs = middle(result.reference, value)
    return middle(result.product, value) / theirs if theirs else 0.0

"""The tables of a run."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from bench.articles import Articles
from bench.automations import Automations
from bench.beside import Beside
from bench.console import GOAL_MS, RATE, Consoles, Crowd, Spread
from bench.cpu import FOREIGN_LIMIT
from bench.data import Size
from bench.deliveries import CPU_GOAL, PLAIN, POSTER, PRODUCT, RATE_GOAL, Deliveries
from bench.knowledge import Knowledge
from bench.knowledge_speed import KnowledgeSpeed
from bench.latencies import Latency, rows_of
from bench.messengers import Messengers
from bench.operators import OPERATORS
from bench.replies import Replies
from bench.reports import Reports
from bench.retrieval import WAYS
from bench.rival import Rival, cpu_ms
from bench.rounds import Result, Round, middle
from bench.routing import RoutedPosts, Routing
from bench.starts import Start
from bench.sweeps import LOCK_GOAL_MS, RATIO_GOAL, Sweep
from bench.sweeps import Round as SweepRound
from bench.timers import LATE_GOAL_MS, Timers
from bench.together import GOALS_MS, GROWTH_GOAL, JUDGED, Together
from bench.transcripts import FIRST_BYTE_GOAL_MS, GROWTH_GOAL_MIB, Transcripts

BUSY = "machine too busy: does not count"


def verdict(*, value: float, goal: float, counts: bool) -> str:
    """The verdict: "met", "missed" or BUSY."""
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


def replies_table(measured: Replies) -> str:
    """The cost and time of an AI operator's reply, and the cost of posting with the app."""
    answered = measured.answered
    cpu = f"CPU, ms: {answered.worker_ms:.1f} + {answered.postgres_ms:.1f} a reply (worker, PostgreSQL), "
    cpu += f"{measured.bare_cpu_ms:.1f} the bare script's; a message posted "
    cpu += (
        f"{measured.post_without_ms:.2f} without the app, {measured.post_off_ms:.2f} off, {measured.post_on_ms:.2f} on"
    )
    waited = f"half of the questions waited {answered.p50_ms:.0f} ms"
    return f"{cpu}; {waited}\n\n{_judged('replies of an AI operator', measured)}"


def messengers_table(measured: Messengers) -> str:
    """The cost of an update, and the rate and cost of messages to a vendor."""
    updates, sends = measured.updates, measured.sends
    told = f"CPU, ms: {updates.web_ms:.1f} + {updates.worker_ms:.1f} + {updates.postgres_ms:.1f} an update "
    told += f"(web, worker, PostgreSQL), {measured.bare_cpu_ms:.2f} the bare program's; {sends.worker_ms:.2f} + "
    told += f"{sends.postgres_ms:.2f} a send (worker, PostgreSQL)"
    rates = f"{sends.a_second:.0f}, {measured.plain_sends_a_second:.0f} by a Celery task each"
    return f"{told}; sends a second of a queue that was filled before: {rates}\n\n{_judged('messengers', measured)}"


def routing_table(measured: Routing) -> str:
    """The time of a decision, and how soon places are filled and offers seen."""
    told = f"a decision: {measured.decision_ms:.1f} ms, {measured.decision_cpu_ms:.1f} of them CPU of the worker; "
    told += f"one statement that reads as much {measured.bare_ms:.1f} ms; "
    told += f"{measured.offers} offers in a socket after {_spread(measured.offer)} ms (p50, p95, most)"
    return f"{told}\n\n{_judged('routing', measured)}"


def routed_posts_table(measured: RoutedPosts) -> str:
    """The CPU of a message where routing is on, where it is off, and without it."""
    each = ", ".join(f"{median(getattr(measured, way)):.2f} {way}" for way in ("on", "off", "without"))
    return f"a message posted, ms of CPU of the process and of PostgreSQL: {each}\n\n{_judged('routing', measured)}"


def automations_table(measured: Automations) -> str:
    """The CPU of judging one event."""
    told = f"one event: {measured.worker_ms:.2f} + {measured.postgres_ms:.2f} ms of CPU (worker, PostgreSQL)"
    return f"{told}\n\n{_judged('automations', measured)}"


def knowledge_speed_table(measured: KnowledgeSpeed) -> str:
    """The four figures of the knowledge base's speed; none has a goal."""
    rows = [
        [f"a search among {texts} texts, p50, p95 ms", f"{found['median_ms']:.1f}, {found['p95_ms']:.1f}"]
        for texts, found in measured.searches.items()
    ]
    rows.append(["texts embedded a second, the vendor answers at once", f"{measured.embedded_a_second:,.0f}"])
    rows.append(["pages crawled a minute", f"{measured.pages_a_minute:,.0f}"])
    rows.append(["memory of the cage, MiB", f"{measured.cage_mib:,.0f}"])
    busy = "" if measured.counts else f"\n{BUSY} ({measured.foreign_cores:.2f} foreign cores)\n"
    return table(["knowledge base", "measured"], rows) + busy


def beside_table(measured: Beside) -> str:
    """Each figure of both checkouts, and how many times the second's the first's is: the median of the rounds, and the
    smallest and the largest.
    """
    heads = ["", "", "here", "beside", "ratio", "rounds", "foreign cores"]
    rows: list[list[str]] = []
    for name, figures in measured.figures.items():
        for number, (figure, pairs) in enumerate(figures.items()):
            here, beside = (median(side) for side in zip(*pairs, strict=True))
            ratios = [ours / theirs for ours, theirs in pairs if theirs]
            spread = [f"{median(ratios):.3f} x", f"{min(ratios):.3f} to {max(ratios):.3f}"] if ratios else ["", ""]
            busy = measured.foreign_cores[name]
            load = f"{median(busy):.2f} ({min(busy):.2f} to {max(busy):.2f})" if number == 0 else ""
            rows.append([name if number == 0 else "", figure, f"{here:,.4g}", f"{beside:,.4g}", *spread, load])
    sides = "\n".join(
        f"{word}: {side.name}, {side.built}" for word, side in zip(("here", "beside"), measured.sides, strict=True)
    )
    rounds = len(next(iter(measured.foreign_cores.values()), [])) // 2
    failed = "".join(f"{name} was not measured: {reason}\n" for name, reason in measured.failed.items())
    return f"Two checkouts in turns, medians of {rounds} rounds\n{sides}\n\n{table(heads, rows)}{failed}"


def reports_table(measured: Reports) -> str:
    """How long the rows of episodes take, and what is read of them."""
    told = f"{measured.episodes:,} episodes; all compared with their raw rows in {measured.check_s:.1f} s"
    return f"{told}\n\n{_judged('reports', measured)}"


def articles_table(measured: Articles) -> str:
    """How long searches in articles take, and publishing."""
    told = f"{measured.articles:,} articles, {measured.words:,} different words"
    return f"{told}\n\n{_judged('articles', measured)}"


def _judged(of: str, measured: Replies | Messengers | Routing | RoutedPosts | Automations | Reports | Articles) -> str:
    """The figures with a goal, and whether each is met."""
    rows = [
        [title, f"{value:.3g}", f"{goal:.3g}", verdict(value=value, goal=goal, counts=measured.counts)]
        for title, value, goal in measured.judged
    ]
    return table([of, "measured", "at most", ""], rows)


def knowledge_tables(measured: Knowledge) -> str:
    """The results of each way of looking, by collection and track, then the figures with a goal."""
    rows = []
    for name, tracks in measured.found.items():
        for track, ways in tracks.items():
            asked = measured.sizes[name]["queries"][track]
            rows.append([name, track, str(asked), *("{:.3f} {:.3f}".format(*ways[way]) for way in WAYS)])
    found = table(["collection", "track", "queries", *WAYS], rows, group=len(next(iter(measured.found.values()))))
    judged = [
        [title, f"{value:.3f}", f"{goal:.3f}", verdict(value=value, goal=goal, counts=True)]
        for title, value, goal in measured.judged
    ]
    heads = ["knowledge base: nDCG@10 if not said", "measured", "at most", ""]
    return f"Knowledge base: recall@5 and nDCG@10\n\n{found}\n{table(heads, judged)}"


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
    """The waits of one caller, beside plain SQL."""
    return f"{size}: answers one at a time, medians\n\n" + table(
        ["", "took", "plain SQL", ""], rows_of(latencies, verdict)
    )


def transcript_table(transcripts: Transcripts, size: Size) -> str:
    """Two lengths one below the other; the goals stand beside the longest."""
    heads = ["", "first byte", "all of it", "size", "memory", ""]
    rows = []
    for one in (transcripts.short, transcripts.long):
        judged = ""
        if one is transcripts.long:
            first = verdict(value=one.first_ms, goal=FIRST_BYTE_GOAL_MS, counts=one.counts)
            growth = verdict(value=transcripts.growth_mib, goal=GROWTH_GOAL_MIB, counts=True)
            judged = f"P7: first byte <= {FIRST_BYTE_GOAL_MS:g} ms, {first}; "
            judged += f"memory <= {GROWTH_GOAL_MIB:g} MiB over the short one's, {growth}"
        figures = [f"{one.first_ms:.1f} ms", f"{one.total_ms:,.0f} ms", f"{one.size / 1e6:.1f} MB"]
        rows.append([f"{one.messages:,} messages", *figures, f"{one.growth_mib:.1f} MiB", judged])
    return f"{size}: transcripts\n\n{table(heads, rows)}"


def sweep_table(sweeps: Sequence[Sweep]) -> str:
    """Each kind's two sweeps one below the other, with the two goals beside them."""
    heads = ["sweep", "", "took", "own CPU", "PostgreSQL", "Valkey", "longest lock", "CPU of all, product to reference"]
    rows: list[list[str]] = []
    for sweep in sweeps:
        ratio = verdict(value=sweep.ratio, goal=RATIO_GOAL, counts=sweep.counts)
        lock = verdict(value=sweep.longest_ms, goal=LOCK_GOAL_MS, counts=sweep.counts)
        low, high = min(sweep.ratios), max(sweep.ratios)
        cpu = f"{sweep.ratio:.2f} x (rounds {low:.2f} to {high:.2f}); P6: <= {RATIO_GOAL} x, {ratio}"
        rows.append([sweep.title, "product", *_sweep_figures(sweep.product), cpu])
        rows.append(["", "reference", *_sweep_figures(sweep.reference), f"P6: lock <= {LOCK_GOAL_MS:g} ms, {lock}"])
    title = f"{sweeps[0].chats:,} due chats swept: CPU seconds, medians of {len(sweeps[0].product)} rounds"
    return f"{title}\n\n{table(heads, rows, group=2)}"


def timers_table(measured: Timers) -> str:
    """How late the timers of chats were told of, beside the goal."""
    heads = ["timers set", "due", "p50 ms", "p95 ms", "longest ms", "scans of whole tables", "of each", ""]
    goal = verdict(value=measured.p95_ms, goal=LATE_GOAL_MS, counts=measured.counts)
    late = [f"{each:,.0f}" for each in (measured.p50_ms, measured.p95_ms, measured.longest_ms)]
    each = f"{measured.worker_ms:.2f} + {measured.postgres_ms:.2f} ms of CPU (worker, PostgreSQL), "
    each += f"{measured.transactions:.1f} transactions"
    row = [f"{measured.count:,}", f"{measured.told:,}", *late, str(measured.seq_scans), each]
    return table(heads, [[*row, f"p95 <= {LATE_GOAL_MS:g} ms, {goal}"]], group=1)


def delivery_table(measured: Sequence[Deliveries]) -> str:
    """Each receiver's three ways one below the other, with the two goals beside the product."""
    heads = ["receiver", "", "deliveries", "a second", "CPU", "PostgreSQL", ""]
    titles = {PRODUCT: "product", POSTER: "bare poster", PLAIN: "a task each"}
    rows: list[list[str]] = []
    for one in measured:
        if one.delay_ms:
            goal = verdict(value=1 / one.rate_ratio, goal=1 / RATE_GOAL, counts=one.counts)
            judged = f"{one.rate_ratio:.0f} x a task each; P5: >= {RATE_GOAL:g} x, {goal}"
        else:
            goal = verdict(value=one.cpu_ratio, goal=CPU_GOAL, counts=one.counts)
            judged = f"CPU {one.cpu_ratio:.2f} x the bare poster's; P5: <= {CPU_GOAL} x, {goal}"
        for way, title in titles.items():
            rounds = one.ways[way]
            receiver = f"answers after {one.delay_ms} ms" if way == PRODUCT else ""
            figures = [
                f"{rounds[0].deliveries:,}",
                f"{median(r.rate for r in rounds):,.0f}",
                f"{median(r.cpu for r in rounds):.3f}",
                f"{median(r.postgres for r in rounds):.3f}",
            ]
            rows.append([receiver, title, *figures, judged if way == PRODUCT else ""])
    rounds_each = len(measured[0].ways[PRODUCT])
    title = f"Webhook deliveries: CPU in seconds per 1,000, medians of {rounds_each} rounds"
    return f"{title}\n\n{table(heads, rows, group=3)}"


def console_tables(consoles: Consoles) -> str:
    """The waits of a tab, with each inbox; live frames, the reference's last; memory."""
    first = consoles.inboxes[0].answers
    heads = ["", *(str(console.inbox) for console in consoles.inboxes)]
    rows = [
        [title, *(f"{each:.1f} ms" if (each := console.answers.get(title)) else "" for console in consoles.inboxes)]
        for title in dict.fromkeys([*first, *(title for console in consoles.inboxes for title in console.answers)])
    ]
    answers = f"The console: answers one at a time, medians\n\n{table(heads, rows)}"
    heads = ["", "frames", "row p50, p95, most", "message p50, p95, most", "posting p50, p95, most", "CPU", ""]
    rows = [[str(console.inbox), *_crowd_figures(console.crowd)] for console in consoles.inboxes]
    rows.append(["reference", *_crowd_figures(consoles.reference)[:-1], ""])
    title = f"{OPERATORS} operators' sockets, {RATE:g} messages a second: milliseconds from a message's being stored"
    memory = f"Memory: {consoles.socket_kib:.0f} KiB a socket, the reference's {consoles.bare_socket_kib:.0f} KiB\n"
    return f"{answers}\n{title}\n\n{table(heads, rows)}\n{memory}"


def _crowd_figures(crowd: Crowd) -> list[str]:
    shown = [each for each in (crowd.rows, crowd.messages) if each]
    outcome = verdict(value=max(each.p95 for each in shown), goal=GOAL_MS, counts=crowd.counts)
    spreads = [_spread(each) for each in (crowd.rows, crowd.messages, crowd.posting)]
    return [f"{crowd.frames:,}", *spreads, f"{crowd.cores:.2f} cores", f"C1: p95 <= {GOAL_MS:g} ms, {outcome}"]


def _spread(spread: Spread | None) -> str:
    return f"{spread.p50:.1f}, {spread.p95:.1f}, {spread.most:.0f}" if spread else ""


def together_tables(together: Together) -> str:
    """How long everything took beside its goals; what each group of processes used and kept; what was wrong."""
    title = f"All of it together: {together.much}"
    busy = f"load average {together.load:.1f}, {together.foreign_cores:.2f} foreign cores"
    first, last = together.samples[0], together.samples[-1]
    lines = ", ".join(f"{name} {lines:,}" for name, lines in together.log_lines.items())
    due, oldest = (max(getattr(each, name) for each in together.samples) for name in ("due", "oldest_s"))
    about = [
        f"deliveries due at a time: at most {due:,}, the oldest for {oldest:.2f} s",
        f"connections to PostgreSQL: {first.connections}, then {last.connections}",
        f"lines logged: {lines}",
        f"a post, with all that follows it: {together.log_bytes:,.0f} bytes of WAL, {together.kept_bytes:,.0f} kept",
        *(together.wrong or ["nothing was lost, doubled, out of order or refused"]),
    ]
    tables = f"{_together_times(together)}\n{_together_groups(together)}"
    return f"{title}\n{busy}\n\n{tables}\n" + "\n".join(about) + "\n"


def _together_times(together: Together) -> str:
    titles = {
        "posts": "a post",
        "frames": "its frame, in each socket",
        "deliveries": "its delivery",
        "reads": "a read",
        "late": "how late the load was itself",
    }
    rows = []
    for name, title in titles.items():
        spread = together.spreads[name]
        judged = ""
        if name in GOALS_MS:
            goal_name, goal = GOALS_MS[name]
            judged = f"{goal_name}: p95 <= {goal:g} ms, "
            judged += verdict(value=spread["p95"], goal=goal, counts=together.counts)
        times = [f"{spread[each]:,.1f}" for each in ("p50", "p95", "p99", "most")]
        rows.append([title, f"{spread['count']:,.0f}", *times, judged])
    return table(["milliseconds from when it was to be sent", "", "p50", "p95", "p99", "most", ""], rows)


def _together_groups(together: Together) -> str:
    """CPU, memory and open files by group of processes."""
    first, last = together.samples[0], together.samples[-1]
    rows = []
    for name, cores in together.cores.items():
        kept = ["", "", "", ""]
        if name in first.kib:
            began, ended = together.first_and_last(name)
            kept = [f"{began:.1f}", f"{ended:.1f}", f"{first.files[name]:,}", f"{last.files[name]:,}"]
        judged = f"memory {together.growth(name):.3f} x" if name in first.kib else ""
        if name in JUDGED:
            judged += f"; P9: <= {GROWTH_GOAL} x, "
            judged += verdict(value=together.growth(name), goal=GROWTH_GOAL, counts=True)
        rows.append([name, f"{cores:.2f}", *kept, judged])
    return table(["", "cores", "MiB, first minute", "last", "files, first", "last", ""], rows)


def rival_table(rival: Rival, together: Together) -> str:
    """The rival's messages beside the product's, at the same rate: how long one takes to a socket, and its CPU."""
    ours = "the product: stored, in sockets, as a webhook"
    rows = [
        _rival_row(ours, together.spreads["frames"], together.cores, together.much.posts),
        _rival_row("ejabberd: archived, in a socket", rival.frames, rival.cores, rival.much.posts),
    ]
    heads = ["milliseconds to the receiver's socket", "p50", "p95", "p99", "most", "ms of CPU a message", "cores"]
    lines = rival.wrong or ["ejabberd lost and doubled nothing"]
    if not rival.counts:
        lines = [*lines, f"others kept {rival.foreign_cores:.2f} cores busy: the rival's figures do not count"]
    title = f"Beside a rival: {rival.much.posts:g} messages a second, {rival.much.sockets:,} sockets"
    return f"{title}\n\n{table(heads, rows)}" + "\n".join(lines) + "\n"


def _rival_row(title: str, spread: Mapping[str, float], cores: Mapping[str, float], rate: float) -> list[str]:
    times = [f"{spread[each]:,.1f}" for each in ("p50", "p95", "p99", "most")]
    each = ", ".join(f"{name} {many:.2f}" for name, many in cores.items() if name != "the load")
    return [title, *times, f"{cpu_ms(cores, rate):.2f}", each]


class Outcome(NamedTuple):
    """A figure beside its goal; `foreign_cores` is 0 for one that a busy machine does not change."""

    value: float
    goal: float
    foreign_cores: float = 0.0


def summary(outcomes: Sequence[Outcome]) -> str:
    """One line: how many goals were met, and whether the run counts."""
    verdicts = [verdict(value=one.value, goal=one.goal, counts=one.foreign_cores <= FOREIGN_LIMIT) for one in outcomes]
    line = f"{verdicts.count('met')} of {len(verdicts)} goals met, {verdicts.count('missed')} missed"
    if busy := verdicts.count(BUSY):
        most = max(one.foreign_cores for one in outcomes)
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


def _sweep_figures(rounds: Sequence[SweepRound]) -> list[str]:
    return [
        f"{median(r.seconds for r in rounds):.1f} s",
        f"{median(r.client for r in rounds):.2f}",
        f"{median(r.postgres for r in rounds):.2f}",
        f"{median(r.valkey for r in rounds):.2f}",
        f"{max(r.longest_ms for r in rounds):,.0f} ms",
    ]


def _quotient(result: Result, value: Callable[[Round], float]) -> float:
    """The product's median of a figure as times of the reference's; 0 when the reference's is too small to see."""
    theirs = middle(result.reference, value)
    return middle(result.product, value) / theirs if theirs else 0.0

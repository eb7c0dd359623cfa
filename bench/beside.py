"""Two checkouts in turns: this one's product and another one's, each on servers of its own, measured by this bench.

The other folder's `apps`, `config` and `launcher` are driven by the modules of this folder's `bench`, so both sides are
measured alike, also in cases that an older bench did not know. Both are set up and warm; then they take turns, in the
order ABBA, so that each pair saw the same machine. A case that one of the two fails in is named.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.cpu import Foreign
from bench.options import AS_A_RULE, OF_A_TENANT, ROUNDS
from config.environment import PROJECT_ROOT

ENDING_S = 60.0
_CAUSE = re.compile(r"[\w.]+(Error|Exception): ")


@dataclass(frozen=True, slots=True)
class Side:
    """A checkout: its commit, the Python that runs it, and how that was built, in one line."""

    name: str
    folder: Path
    python: Path
    built: str


@dataclass(slots=True)
class Beside:
    """By name, each figure's pairs, this checkout's number first, round by round; the foreign cores of each turn."""

    sides: tuple[Side, Side]
    figures: dict[str, dict[str, list[tuple[float, float]]]] = field(default_factory=dict)
    foreign_cores: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        sides = [{**asdict(side), "folder": str(side.folder), "python": str(side.python)} for side in self.sides]
        return {**asdict(self), "sides": sides}


class _Failed(Exception):
    """A side said something else than figures; the reason."""


def measure_beside(options: argparse.Namespace, arguments: Sequence[str]) -> Beside:
    """Measures the names of `--only`, or `AS_A_RULE`; the arguments are those of the options."""
    found = Beside((_side(PROJECT_ROOT), _side(options.beside)))
    names = options.only or AS_A_RULE
    of_a_tenant = [name for name in names if name in OF_A_TENANT]
    groups = [of_a_tenant] if of_a_tenant else []
    groups += [[name] for name in names if name not in OF_A_TENANT]
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        bench = Path(folder) / "bench"
        bench.symlink_to(PROJECT_ROOT / "bench")
        for group in groups:
            try:
                _take_turns(found, group, options.rounds or ROUNDS, bench.parent, _handed_on(arguments))
            except _Failed as failed:
                for name in group:
                    found.failed.setdefault(name, str(failed))
    return found


def _take_turns(found: Beside, names: list[str], rounds: int, bench: Path, arguments: list[str]) -> None:
    with ExitStack() as running:
        here, beside = (running.enter_context(_running(side, bench, names, arguments)) for side in found.sides)
        for number in range(rounds):
            for name in names:
                told = {}
                for turns in (here, beside) if number % 2 == 0 else (beside, here):
                    with Foreign() as foreign:
                        told[turns] = turns.take(name)
                    found.foreign_cores.setdefault(name, []).append(foreign.cores)
                figures = found.figures.setdefault(name, {})
                for figure, value in told[here].items():
                    if figure in told[beside]:
                        figures.setdefault(figure, []).append((value, told[beside][figure]))


class _Turns:
    """The process of one side (bench/turns.py)."""

    def __init__(self, side: Side, process: "subprocess.Popen[str]", errors: Path) -> None:
        self._side, self._process, self._errors = side, process, errors

    def take(self, name: str) -> Mapping[str, float]:
        """The figures of a turn. Raises _Failed."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{name}\n")
            self._process.stdin.flush()
        except OSError:
            raise _Failed(self._reason()) from None
        answer: dict[str, float] = json.loads(self.line())
        return answer

    def line(self) -> str:
        """Its next line. Raises _Failed."""
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise _Failed(self._reason())
        return line

    def _reason(self) -> str:
        lines = self._errors.read_text(errors="replace").strip().splitlines() or ["it said nothing"]
        causes = [line for line in lines if _CAUSE.match(line)]  # the first led to those behind it
        return f"{self._side.name}: {(causes or lines[-1:])[0][:500]}"


@contextmanager
def _running(side: Side, bench: Path, names: list[str], arguments: list[str]) -> Iterator[_Turns]:
    """A side that is set up. Raises _Failed if it can't be."""
    path = os.pathsep.join((str(bench), str(side.folder)))
    environ = {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
    command = [str(side.python), "-m", "bench.turns", ",".join(names), *arguments]
    with tempfile.NamedTemporaryFile(prefix="parley-bench-") as errors:
        process = subprocess.Popen(
            command,
            cwd=side.folder,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        turns = _Turns(side, process, Path(errors.name))
        try:
            turns.line()
            yield turns
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(timeout=ENDING_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _side(folder: Path) -> Side:
    """A checkout runs by its own virtualenv, or by that of this one if it has none."""
    own = folder / ".venv" / "bin" / "python"
    python = own if own.exists() and folder != PROJECT_ROOT else Path(sys.executable)
    told = _said(str(python), str(PROJECT_ROOT / "launcher" / "interpreter.py"))
    name = _said("git", "-C", str(folder), "describe", "--always", "--dirty") or folder.name
    return Side(name, folder, python, json.loads(told)["told"])


def _said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _handed_on(arguments: Sequence[str]) -> list[str]:
    """The arguments that both sides are given, too: one round a turn."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in ("--beside", "--json", "--rounds"):
        parser.add_argument(name)
    parser.add_argument("--only", action="append")
    return [*parser.parse_known_args(list(arguments))[1], "--rounds", "1"]

"""`make test`: the whole suite. What starts real processes runs after the rest, and not beside it.

Arguments go on to pytest; with `-m` among them there is one pass, of what it selects.
"""

import subprocess
import sys

import pytest

SERIAL = "e2e or faults"
# Whole files to a worker: fixtures of a module are made once.
PARALLEL = ["-n", "logical", "--maxprocesses", "8", "--dist", "loadfile"]


def main(arguments: list[str]) -> int:
    if "-m" in arguments:
        return run(arguments)
    statuses = {run([*PARALLEL, "-m", f"not ({SERIAL})", *arguments]), run(["-m", SERIAL, *arguments])}
    failures = statuses - {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    return int(max(failures) if failures else min(statuses))


def run(arguments: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", "--timeout", "300", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

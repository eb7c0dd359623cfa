"""`make test`: the test suite, by a worker more than there are cores. Arguments go on to pytest.

`--app kb`: the app's own tests, the contract tests of its operations, and the architecture tests.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.environment import named

TESTS = Path(__file__).parent
APPS = sorted(path.parent.name for path in (TESTS.parent / "apps").glob("*/__init__.py"))
# One more than there are cores, as many tests wait for processes that they have started.
WORKERS = min(8, (os.cpu_count() or 1) + 1)
# Whole files to a worker: fixtures of a module are made once. In the order of `tests/conftest.py`: the longest first.
OPTIONS = ["-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder", "--timeout", "300"]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests", add_help=False, allow_abbrev=False)
    parser.add_argument("--app", choices=APPS)
    chosen, passed_on = parser.parse_known_args(arguments)
    command = [sys.executable, "-m", "pytest", *OPTIONS]
    if chosen.app:
        command += ["--app", chosen.app, *(str(TESTS / name) for name in ("architecture", "contract", chosen.app))]
    return subprocess.run([*command, *passed_on], env=named(os.environ), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

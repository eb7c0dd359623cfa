"""`make test`: the whole suite, by a worker more than there are cores. Arguments go on to pytest."""

import os
import subprocess
import sys

from tests.environment import named

# One more than there are cores, as many tests wait for processes that they have started.
WORKERS = min(8, (os.cpu_count() or 1) + 1)
# Whole files to a worker: fixtures of a module are made once. In the order of `tests/conftest.py`: the longest first.
OPTIONS = ["-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder", "--timeout", "300"]


def main(arguments: list[str]) -> int:
    command = [sys.executable, "-m", "pytest", *OPTIONS, *arguments]
    return subprocess.run(command, env=named(os.environ), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

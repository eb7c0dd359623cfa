"""`python -m tests.run.ready`: makes of PARLEY_HOME what a first start does, and leaves nothing running.

A service that starts with a copy of it finds its tables, its static files and the demo data.
"""

import os
import subprocess
import sys

from config.environment import PROJECT_ROOT
from launcher.run import claimed_home, environment_of


def main() -> None:
    with claimed_home() as home:
        environ, servers = environment_of(home)
        with servers:
            command = [sys.executable, "-m", "launcher.prepare"]
            subprocess.run(command, cwd=PROJECT_ROOT, env=environ, stdout=subprocess.DEVNULL, check=True)


def copy(path: str | os.PathLike[str], to: str | os.PathLike[str]) -> None:
    """With owners, modes and times: PostgreSQL and `launcher.prepare` look at them."""
    subprocess.run(["cp", "-a", "--reflink=auto", path, to], check=True)


if __name__ == "__main__":
    main()

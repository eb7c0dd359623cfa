"""The processes that clients connect to may hold as many connections as the system lets them."""

import resource
import subprocess
import sys

import pytest

from config.environment import PROJECT_ROOT

SOFT = 256


@pytest.mark.slow
@pytest.mark.parametrize("module", ["config.web", "config.asgi"])
def test_the_soft_limit_is_raised_to_the_hard_one(module: str) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    code = f"import {module}, resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    limited = subprocess.run(
        ["sh", "-c", f'ulimit -S -n {SOFT}; exec "$@"', "sh", sys.executable, "-Wignore", "-c", code],
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert limited.stdout.strip() == f"({hard}, {hard})"

"""`make test` and `make check` take nothing from the shell that they do not name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.environment import PROJECT_ROOT

pytestmark = pytest.mark.e2e

# Each would end the start of a service, or lead it astray.
EXPORTED = {
    "ALLOWED_HOSTS": "elsewhere.example",
    "API_RATE_LIMIT": "1",
    "DATABASE_URL": "mysql://nowhere",
    "DJANGO_SETTINGS_MODULE": "no.such.settings",
    "FIELD_ENCRYPTION_KEYS": "none",
    "HSTS_PRELOAD": "true",
    "LOG_LEVEL": "LOUD",
    "PARLEY_HOME": "/proc/parley",
    "PARLEY_WITHOUT_APPS": "apps.webhooks",
    "PORT": "80000",
    "PUBLIC_URL": "https://elsewhere.example",
    "PYTEST_ADDOPTS": "--no-such-option",
    "REDIS_URL": "http://nowhere",
    "SECRET_KEY": "short",
    "TRUSTED_PROXIES": "many",
}


def run(*command: str) -> None:
    done = subprocess.run(
        command,
        cwd=PROJECT_ROOT,
        env={**os.environ, **EXPORTED},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_tests_ignore_the_shells_settings() -> None:
    run(sys.executable, "-m", "tests", "tests/core/test_health.py", "tests/core/test_configuration.py", "-n", "1")


@pytest.mark.slow
@pytest.mark.parametrize("check", ["migrations", "documents", "deployment"])
def test_checks_ignore_the_shells_settings(check: str) -> None:
    run("make", "--assume-old=install", f"BIN={Path(sys.executable).parent}", check)

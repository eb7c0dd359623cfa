"""Starts PostgreSQL and Valkey for a test run, and offers servers and services of a test's own.

The settings read the environment when they are first imported, so it is set here, before pytest-django sets Django up
(which is why `pyproject.toml` names no settings module). Under pytest-xdist the controller starts the servers; each
worker has a database of its own (pytest-django) and a Redis database of its own (`tests/settings.py`).
"""

import fcntl
import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import django
import hypothesis
import pytest
from cryptography.fernet import Fernet

from config.environment import PROJECT_ROOT
from launcher.servers import EmbeddedServers
from tests.environment import PASSED_ON, named
from tests.migrated import MIGRATED, copy_migrated, set_apart
from tests.run.ready import copy
from tests.run.service import Service

pytest.register_assert_rewrite("tests.client")
pytest_plugins = ["tests.longest"]

# A busy machine is no failure.
hypothesis.settings.register_profile(
    "parley", parent=hypothesis.settings(), deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("parley")

# Of a service for several tests: visitors write at any speed, receivers of this machine may be called, and what does
# not end when asked is soon ended by force; what a test has stopped stays so.
RUNNING = {
    "VISITOR_RATE_LIMIT": "1000000",
    "EGRESS_ALLOW": "127.0.0.1",
    "STOP_SECONDS": "3",
    "SILENT_SECONDS": "3600",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--app", help="of the tests that run for each operation, only those of this app's operations")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        start_servers(config)
    django.setup()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Brings in the cast and the browser, which need Django to be set up, and a quicker way to empty the database."""
    session.config.pluginmanager.import_plugin("tests.cast")
    session.config.pluginmanager.import_plugin("tests.browser")
    session.config.pluginmanager.import_plugin("tests.tenancy")
    session.config.pluginmanager.get_plugin("tests.tenancy").install()
    from tests import refusals

    refusals.install()
    from django.test import TransactionTestCase

    from tests.rows import empty

    TransactionTestCase._fixture_teardown = lambda case: empty()  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Each test begins in the settings' language: a page in another one leaves that to its thread (Django's way)."""
    from django.utils import translation

    translation.deactivate()


# The files that take longest, the longest first (told at the end of a run): of those that mostly wait for processes
# which they have started, and of those that compute.
WAITING, COMPUTING = (
    (
        "run/test_run.py",
        "e2e/test_assists.py",
        "e2e/test_console_inbox.py",
        "faults/test_campaign.py",
        "faults/test_database_states.py",
        "run/test_demo_commands.py",
        "e2e/test_nginx.py",
        "e2e/test_console_day.py",
        "e2e/test_people_and_ai.py",
        "faults/test_redis_states.py",
        "faults/test_realtime_survives.py",
        "e2e/test_widget_files.py",
    ),
    (
        "contract/test_bad_input.py",
        "architecture/test_linear.py",
        "architecture/test_linear_algorithms.py",
        "contract/test_answers.py",
        "chats/test_storage_away.py",
        "accounts/test_imported_data.py",
        "accounts/test_moving.py",
        "widget/frontend/test_features.py",
        "widget/frontend/test_host_pages.py",
        "core/test_serving.py",
        "core/test_beat.py",
        "ai/test_external_turns.py",
        "contract/test_callers.py",
        "contract/test_keys.py",
        "chats/test_tallied_changes.py",
        "chats/test_transcripts.py",
    ),
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if app := config.getoption("app"):
        others = [item for item in items if is_of_another_app(item, app)]
        items[:] = [item for item in items if not is_of_another_app(item, app)]
        config.hook.pytest_deselected(items=others)
    if "PYTEST_XDIST_WORKER" in os.environ:
        put_in_order(items)


def is_of_another_app(item: pytest.Item, app: str) -> bool:
    """Whether the test is the contract suite's and runs for an operation of which the view is another app's."""
    callspec = getattr(item, "callspec", None)
    if item.path.parent.name != "contract" or callspec is None:
        return False
    route = callspec.params.get("route")
    return route is not None and not route.routed.viewset.__module__.startswith(f"apps.{app}.")


def put_in_order(items: list[pytest.Item]) -> None:
    """Under pytest-xdist, files that wait and files that compute take turns, so that no core is ever idle.

    Of both the longest come first, then those with most tests; of those that wait, none is left for the end.
    """
    sizes = Counter(item.path for item in items)
    tests = Path(__file__).parent
    waiting = {item.path for item in items if any(map(item.get_closest_marker, ("e2e", "faults")))}
    places: dict[Path, float] = {}
    for files, longest, share in ((waiting, WAITING, 0.7), (sizes.keys() - waiting, COMPUTING, 1.0)):
        ranks = {tests / name: rank for rank, name in enumerate(longest)}
        ordered = sorted(files, key=lambda file: (ranks.get(file, len(ranks)), -sizes[file], file))
        places.update((file, share * rank / len(ordered)) for rank, file in enumerate(ordered))
    items.sort(key=lambda item: (places[item.path], item.path))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Takes back what the product's entry points, which some tests import, allow a statement: nobody waits here."""
    from apps.core.database.base import limit_statements

    limit_statements(seconds=300)
    # All that has been imported and collected stays: no collection of garbage need look at it again. Tests make many
    # objects that live on until their end, so a first look at new ones is seldom worth its time, too.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def start_servers(config: pytest.Config) -> None:
    home = Path(tempfile.mkdtemp(prefix="parley-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    for name in os.environ.keys() - PASSED_ON - {"PYTEST_VERSION"}:  # should pytest not have been started by `tests`
        del os.environ[name]
    servers = EmbeddedServers(home, durable=False)
    os.environ.update(
        {
            "PARLEY_HOME": str(home),
            "DATABASE_URL": servers.database_url,
            "REDIS_URL": servers.redis_url,
            "SECRET_KEY": "tests-only-5e1c0f0a7a1d4f7e9a53b2c8d6e4f1a0b9c8d7e6f5a4",
            "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "PARLEY_WITH_DEMO": "1",
        }
    )
    copy_migrated(home / "postgres")
    servers.start()
    config.add_cleanup(servers.stop)
    set_apart(servers)
    (home / "static").mkdir(exist_ok=True)


@pytest.fixture(scope="session")
def outside() -> dict[str, str]:
    """The environment without what the test run added to it: what real processes of a test start from."""
    return named(os.environ)


@pytest.fixture
def home() -> Iterator[Path]:
    """An empty PARLEY_HOME with a short path."""
    with tempfile.TemporaryDirectory(prefix="parley-home-") as folder:
        yield Path(folder)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder of this test run: the first of its workers who needs it makes it, the others wait."""
    folder = Path(os.environ["PARLEY_HOME"]) / name
    with folder.with_suffix(".made").open("a+") as made:
        fcntl.flock(made, fcntl.LOCK_EX)
        if not made.seek(0, os.SEEK_END):  # now: while it was waited for, it may have been made
            make(folder)
            made.write("yes")
    return folder


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The tests' database, each worker's, is a copy of one with all migrations applied."""
    from django.db import connection

    connection.settings_dict["TEST"]["TEMPLATE"] = MIGRATED


@pytest.fixture(scope="session")
def empty_database() -> Path:
    """The data folder of a PostgreSQL that was started once and ended in order, to be copied."""

    def make(folder: Path) -> None:
        with EmbeddedServers(folder, durable=False, valkey=False):
            pass

    return made_once("empty", make) / "postgres"


@pytest.fixture(scope="session")
def ready_home(outside: dict[str, str]) -> Path:
    """A PARLEY_HOME as a first start leaves it, ended in order, to be copied by who does not test a first start."""

    def make(folder: Path) -> None:
        folder.mkdir(mode=0o700)
        copy_migrated(folder / "postgres")
        command, environ = [sys.executable, "-m", "tests.run.ready"], {**outside, "PARLEY_HOME": str(folder)}
        subprocess.run(command, cwd=PROJECT_ROOT, env=environ, check=True)

    return made_once("ready", make)


@pytest.fixture
def own_servers(home: Path, empty_database: Path) -> Iterator[EmbeddedServers]:
    """PostgreSQL and Valkey of this test alone, which it may stop, kill and start; they keep what they are told."""
    copy(empty_database, home / "postgres")
    with EmbeddedServers(home) as servers:
        yield servers


@pytest.fixture
def service(home: Path, outside: dict[str, str]) -> Iterator[Service]:
    """A `make run` of this test alone, not yet started, with nothing in its PARLEY_HOME."""
    service = Service(home, outside)
    try:
        yield service
    finally:
        service.end()


@pytest.fixture(scope="session")
def kept_service(outside: dict[str, str], ready_home: Path) -> Iterator[Service]:
    """A `make run` that tests use one after the other: they find a PARLEY_HOME that has been used."""
    with tempfile.TemporaryDirectory(prefix="parley-home-") as folder:
        copy(f"{ready_home}/.", folder)
        service = Service(Path(folder), outside)
        try:
            yield service
        finally:
            service.end()


@pytest.fixture
def stopped_service(kept_service: Service) -> Iterator[Service]:
    """It is not running, before the test and after."""
    kept_service.end()
    try:
        yield kept_service
    finally:
        kept_service.end()


@pytest.fixture
def running_service(kept_service: Service) -> Service:
    """It runs, with demo data; the test may leave it running, or not."""
    if kept_service.ended:
        kept_service.end()
        kept_service.start(**RUNNING)
    return kept_service

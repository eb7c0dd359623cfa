"""Health, readiness and metrics, as a supervisor and Prometheus ask for them."""

from pathlib import Path

import pytest
import redis as redis_library
from django.conf import settings
from django.db import connection
from django.test import Client
from pytest_django import Settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.core.redis import connection as redis
from launcher.processes import wait_until
from launcher.servers import free_port
from tests.client import assert_problem, client
from tests.waits import AT_MOST_S


def test_healthz_needs_nothing_but_the_process() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok", "version": settings.VERSION})
    assert "no-cache" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_readyz_with_both_servers() -> None:
    response = Client().get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "checks": {"database": "ok", "redis": "ok"}}


@pytest.mark.django_db
def test_readyz_without_redis_is_still_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    away = redis_library.Redis(port=free_port(), retry=Retry(NoBackoff(), 0))
    monkeypatch.setattr(redis, "client", lambda: away)
    monkeypatch.setattr(redis, "_away_until", 0.0)
    response = Client().get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "checks": {"database": "ok", "redis": "unavailable"}}


@pytest.mark.django_db(transaction=True)
def test_readyz_without_the_database_is_not_ready_and_heals(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as away:
        connection.close()
        away.setitem(connection.settings_dict, "PORT", free_port())
        response = Client().get("/readyz")
        assert response.status_code == 503
        assert response.json() == {"status": "unavailable", "checks": {"database": "unavailable", "redis": "ok"}}
    assert wait_until(lambda: Client().get("/readyz").status_code == 200, seconds=AT_MOST_S)


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/problems/"])
def test_they_are_read_only(path: str) -> None:
    assert Client().post(path).status_code == 405


class TestMetrics:
    def test_this_machine_reads_them(self) -> None:
        response = Client().get("/metrics")
        assert response.status_code == 200
        assert b"# TYPE parley_api_request_seconds histogram" in response.content

    def test_another_machine_finds_nothing(self) -> None:
        assert Client(REMOTE_ADDR="203.0.113.7").get("/metrics").status_code == 404

    @pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"])
    @pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
    def test_this_machine_has_several_addresses(self, address: str, host: str) -> None:
        assert Client(REMOTE_ADDR=address).get("/metrics", headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via"])
    def test_what_came_through_a_proxy_is_not_from_this_machine(self, header: str) -> None:
        assert Client().get("/metrics", headers={header: "127.0.0.1"}).status_code == 404

    @pytest.mark.parametrize(("name", "value"), [("TRUSTED_PROXIES", 1), ("IS_HTTPS", True)])
    def test_behind_a_proxy_nobody_is_on_this_machine(self, settings: Settings, name: str, value: object) -> None:
        setattr(settings, name, value)
        assert Client().get("/metrics").status_code == 404

    def test_a_page_that_a_browser_of_this_machine_shows_finds_nothing(self) -> None:
        assert Client().get("/metrics", headers={"Host": "rebound.example:8000"}).status_code == 404

    def test_while_the_folder_that_processes_share_cannot_be_read_it_is_503(
        self, settings: Settings, tmp_path: Path
    ) -> None:
        """A gap in Prometheus, and no sum of one process, which would look as if all others had begun anew."""
        settings.PROMETHEUS_MULTIPROC_DIR = str(tmp_path / "metrics")
        assert_problem(client().get("/metrics"), 503, "try_again")
        (tmp_path / "metrics").mkdir()
        assert Client().get("/metrics").status_code == 200

    def test_with_a_token_set_it_alone_counts(self, settings: Settings) -> None:
        settings.METRICS_TOKEN = "scrape-me"
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer scrape"}):
            assert Client().get("/metrics", headers=headers).status_code == 404
        for caller in (Client(), Client(REMOTE_ADDR="203.0.113.7")):
            assert caller.get("/metrics", headers={"Authorization": "Bearer scrape-me"}).status_code == 200

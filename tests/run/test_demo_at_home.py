"""Demo logins, whose passwords everybody knows, stay in trials: what `make run` does where it may be for real use."""

import os
import stat
from pathlib import Path

import pytest
from django.core.files.storage import default_storage

from launcher import banner, run
from launcher.servers import EmbeddedServers, ServerFailed
from tests.factories import FileFactory
from tests.run.service import Service

DEMO = {
    "accounts": [
        {"owner_login": "o", "password": "p", "widgets": [{"name": "w", "agents": [], "tokens": {"all": "t"}}]}
    ],
    "admin": {"login": "a", "password": "p"},
    "base_url": "http://x/api/v1",
}


@pytest.mark.parametrize(
    ("given", "reasons"),
    [
        ({}, 0),
        ({"PUBLIC_URL": "http://localhost:8000", "BIND": "127.0.0.1"}, 0),
        ({"BIND": "::1"}, 0),
        ({"BIND": "localhost", "DATABASE_URL": ""}, 0),
        ({"PUBLIC_URL": "https://chat.shop.test"}, 1),
        ({"BIND": "0.0.0.0"}, 1),
        ({"BIND": "::"}, 1),
        ({"BIND": "chat.internal"}, 1),
        ({"DATABASE_URL": "postgresql://db/parley"}, 1),
        ({"PUBLIC_URL": "https://chat.shop.test", "BIND": "10.0.0.5", "DATABASE_URL": "postgresql://db/x"}, 3),
    ],
)
def test_what_speaks_of_real_use(given: dict[str, str], reasons: int) -> None:
    assert len(run.reasons_against_demo(given)) == reasons


@pytest.mark.parametrize(
    ("given", "seeds"),
    [
        ({}, "1"),
        ({"SEED_DEMO": "no"}, "0"),
        ({"PUBLIC_URL": "https://x.test"}, "0"),
        ({"PUBLIC_URL": "https://x.test", "SEED_DEMO": "1"}, "1"),
    ],
)
def test_it_is_seeded_there_only_if_asked_for_by_name(
    given: dict[str, str], seeds: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PUBLIC_URL", "BIND", "DATABASE_URL", "SEED_DEMO"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert run.environment_of(home)[0]["SEED_DEMO"] == seeds


def test_the_banner_says_so_in_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(banner, "warning", lambda text: f"<red>{text}</red>")
    assert "<red>" not in banner.banner("http://x", DEMO)
    assert "<red>DEMO LOGINS" in banner.banner("http://x", DEMO, ["BIND is ::"])
    assert "<red>DEMO LOGINS of an earlier run" in banner.banner(
        "x", {"accounts": [], "is_seeded": True, "is_installed": True}, ["BIND is ::"]
    )
    without = banner.banner("http://x", {"accounts": [], "is_seeded": False, "is_installed": True}, ["BIND is ::"])
    assert "<red>" not in without
    assert "No demo data was made: BIND is ::" in without
    left_out = banner.banner("http://x", {"accounts": [], "is_seeded": False, "is_installed": False})
    assert "No demo data was made: PARLEY_WITHOUT_APPS leaves apps.demo out.\n" in left_out


@pytest.mark.slow
@pytest.mark.e2e
def test_an_installation_for_real_use_starts_without_demo_logins(stopped_service: Service) -> None:
    stopped_service.start(SEED_DEMO="", PUBLIC_URL="https://chat.shop.test")
    assert "No demo data was made" in stopped_service.output
    assert "parley-demo-password" not in stopped_service.output


def test_logs_are_the_services_alone(own_servers: EmbeddedServers, home: Path) -> None:
    assert stat.S_IMODE((home / "log").stat().st_mode) == 0o700


@pytest.mark.django_db
def test_files_are_the_services_alone() -> None:
    file = FileFactory.create()
    stored = Path(default_storage.path(file.storage_key))
    assert stat.S_IMODE(stored.stat().st_mode) == 0o600
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in (stored.parent, stored.parent.parent)} == {0o700}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's PostgreSQL has a user of its own")
def test_no_folder_of_others_is_opened(tmp_path: Path) -> None:
    above, home = tmp_path / "private", tmp_path / "private" / "home"
    home.mkdir(parents=True)
    above.chmod(0o700)
    before = above.stat().st_mode
    with pytest.raises(ServerFailed, match=r"may not pass through .* Run `chmod o\+x"):
        EmbeddedServers(home).start()
    assert above.stat().st_mode == before

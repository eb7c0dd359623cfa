"""The version stands in one place; the changelog, the probes, the cabinet and the kept databases know it."""

import re
from datetime import date
from pathlib import Path

from django.conf import settings
from django.test import Client

from config.environment import PROJECT_ROOT
from config.loop import HEALTHY
from config.version import VERSION

CHANGELOG = (PROJECT_ROOT / "CHANGELOG.md").read_text()
DUMPS = PROJECT_ROOT / "tests/upgrades/dumps"
READERS = ["For owners", "For operators", "For integrators", "For administrators"]
SHORT = 50  # lines of a release: what people read before they upgrade


def releases() -> dict[str, str]:
    """The text of each released version's section, newest first."""
    found = re.findall(r"^## (\d+\.\d+\.\d+ — \S+)\n(.*?)(?=^## )", CHANGELOG, re.MULTILINE | re.DOTALL)
    return dict(found)


def test_the_newest_dated_section_is_this_version_and_short() -> None:
    title, text = next(iter(releases().items()))
    version, _, day = title.partition(" — ")
    assert version == VERSION == settings.VERSION
    assert date.fromisoformat(day) <= date.today()  # noqa: DTZ011 - a day
    assert re.findall(r"^### (.*)$", text, re.MULTILINE) == READERS
    assert len(text.splitlines()) <= SHORT


def test_what_comes_later_stands_first_and_unreleased() -> None:
    titles = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert titles[0] == "Unreleased"
    assert titles[1] in releases()


def test_a_database_of_each_release_is_kept_for_its_upgrade() -> None:
    """`python -m tests.upgrades.keep VERSION` makes it."""
    kept = {path.stem for path in Path(DUMPS).glob("*.json")}
    assert {title.partition(" — ")[0] for title in releases()} <= kept


def test_the_probe_of_each_process_says_it(client: Client) -> None:
    told = {"status": "ok", "version": VERSION}
    assert client.get("/healthz").json() == told
    assert HEALTHY.decode() == str(told).replace("'", '"')


def test_the_cabinets_foot_says_it_to_who_is_signed_in(client: Client, cabinet: Client) -> None:
    assert f"Parley {VERSION}" not in client.get("/admin/login/").content.decode()
    for page in ("/admin/", "/admin/chats/chat/"):
        assert f'<p class="page-foot">Parley {VERSION}</p>' in cabinet.get(page).content.decode(), page

"""docs/guides/webhooks.md says what the code does: its example, its tables, its numbers, its commands."""

import json
import re
import shutil
import subprocess

import orjson
import pytest

from apps.demo.management.commands import webhook_listen
from apps.egress import batch
from apps.webhooks import openapi, rules
from apps.webhooks.rules import CATALOGUE, DeliveryStatus
from config.environment import PROJECT_ROOT
from tests.contract.endpoints import ENDPOINTS

GUIDE = (PROJECT_ROOT / "docs/guides/webhooks.md").read_text()
# Its own words without the receivers, and on one line each.
TEXT = " ".join(GUIDE.partition("## Receivers")[0].split())


def section(heading: str) -> str:
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", GUIDE, re.DOTALL | re.MULTILINE)
    assert found is not None, heading
    return found[1]


def block(heading: str, language: str) -> str:
    """The first block of code of a language below a heading."""
    found = re.search(rf"^```{language}\n(.*?)\n```$", section(heading), re.DOTALL | re.MULTILINE)
    assert found is not None, heading
    return found[1]


def first_cells(heading: str, name: str) -> list[str]:
    """The names in the first cells of the table below a heading whose header begins so."""
    found = re.search(rf"^\| {name} \|.*\n\|---.*\n((?:\|.*\n)+)", section(heading), re.MULTILINE)
    assert found is not None, name
    return [cell for row in found[1].splitlines() for cell in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


class TestTheExample:
    HEAD, _, BODY = block("What is sent", "http").partition("\n\n")
    HEADERS = dict(line.split(": ", 1) for line in HEAD.splitlines()[1:])
    SECRET = re.findall(r"signed with the secret `(\w.+?)`", TEXT)[0]

    def test_it_is_a_body_as_it_is_written(self) -> None:
        example = openapi.example_body(CATALOGUE["message.created"])
        guid = example["data"].pop("button_guid")
        assert rules.native_body(example["id"], "message.created", example["data"], widget_guid=guid) == self.BODY

    def test_its_headers_are_those_that_are_sent(self) -> None:
        sent = ["Content-Type", *openapi.document()["components"]["parameters"]]
        assert list(self.HEADERS) == ["Host", *sent]
        assert first_cells("What is sent", "header") == sent[1:]
        assert self.HEADERS["X-Service-Idempotency-Key"] == json.loads(self.BODY)["id"]
        assert self.HEADERS["X-Service-Event"] == json.loads(self.BODY)["type"]

    def test_its_signature_is_genuine(self) -> None:
        assert rules.signature(self.SECRET.encode(), self.BODY.encode()) == self.HEADERS["X-Service-Signature"]

    def test_it_is_found_genuine_by_hand(self) -> None:
        if shutil.which("openssl") is None:
            pytest.skip("openssl is not on this machine")
        done = subprocess.run(
            ["sh", "-euc", block("Verify", "sh")],
            env={"PATH": "/usr/bin:/bin", "BODY": self.BODY, "SECRET": self.SECRET},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"sha256=v1:{done.stdout.split()[-1]}" == self.HEADERS["X-Service-Signature"]

    def test_the_legacy_one_is_the_envelope_of_the_same_widget(self) -> None:
        example = openapi.example_body(CATALOGUE["chat.closed"])
        assert rules.legacy_body(orjson.dumps(example).decode()) == block("The legacy envelope", "json")


class TestTheTables:
    @pytest.mark.parametrize("name", CATALOGUE)
    def test_an_event_has_its_row(self, name: str) -> None:
        event = CATALOGUE[name]
        fields = ", ".join(f"`{field}`" for field in event.fields)
        legacy_name = f"`{event.legacy_name}`" if event.legacy_name else "—"
        assert f"\n| `{name}` | {event.fires_when} | {fields} | {legacy_name} |\n" in section("Events")

    def test_there_is_no_other_event(self) -> None:
        assert first_cells("Events", "event") == list(CATALOGUE)

    def test_every_field_is_explained_and_no_other(self) -> None:
        fields = {field for event in CATALOGUE.values() for field in event.fields}
        explained = first_cells("Events", "field")
        assert sorted(explained) == sorted(fields | {"button_guid"})

    def test_every_status_is_explained(self) -> None:
        assert first_cells("When an attempt fails", "`status`")[0] == "pending"
        assert set(first_cells("When an attempt fails", "`status`")) == {status.value for status in DeliveryStatus}


class TestTheNumbers:
    def test_the_guide_names_the_attempts_and_waits(self) -> None:
        *waits, last = [str(rules.wait_after(attempt)) for attempt in range(1, rules.MAX_ATTEMPTS)]
        says = f"There are {rules.MAX_ATTEMPTS} attempts, with {', '.join(waits)} and {last} seconds between them"
        assert says in TEXT

    def test_the_guide_names_the_time_limits(self) -> None:
        assert (
            f"after {batch.TOTAL_SECONDS:.0f} seconds without an answer ({batch.CONNECT_SECONDS:.0f} until connected)"
            in TEXT
        )

    def test_the_guide_names_the_lengths_of_a_secret(self) -> None:
        assert f"({rules.MIN_SECRET_LENGTH} to {rules.MAX_SECRET_LENGTH} characters)" in TEXT

    def test_what_is_switched_on_at_first(self) -> None:
        (live,) = [event.name for event in CATALOGUE.values() if event.is_live]
        assert f"all but `{live}` are at first" in TEXT

    def test_where_the_listener_listens(self) -> None:
        assert f"({webhook_listen.DEFAULT_PORT} of 127.0.0.1)" in TEXT
        assert f"EGRESS_ALLOW=127.0.0.1:{webhook_listen.DEFAULT_PORT} make run" in GUIDE


def test_its_calls_are_the_apis() -> None:
    named = set(re.findall(r"`(GET|POST|PATCH|DELETE) (/v1/[^\s`?]+)[^`]*`", GUIDE))
    known = {(endpoint.method, endpoint.path.removeprefix("/api")) for endpoint in ENDPOINTS}
    assert len(named) >= 7
    assert named - known == set()

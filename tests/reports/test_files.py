"""Files of reports: exactly what is shown, without formulas, in both formats; streamed; and the widget's own export."""

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.utils import timezone

from apps.accounts.actions.exports import export_widget
from apps.core.files.zipped import zipped
from apps.reports.actions import files
from apps.reports.models import EpisodeRow
from apps.reports.querysets import lists
from apps.reports.rules.figures import COUNTS, TIMES
from apps.reports.rules.tables import EPISODE_COLUMNS
from apps.reports.rules.workbooks import workbook
from tests.client import ApiClient
from tests.reports.episodes import Cast, made_episodes

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(cast: Cast) -> list[EpisodeRow]:
    now = timezone.now()
    return made_episodes(cast, start=now - timedelta(days=20), end=now, count=70, seed=3)


def csv_of(content: bytes) -> list[list[str]]:
    text = content.decode("utf-8-sig")
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\r\n") == len(text.splitlines())
    return list(csv.reader(io.StringIO(text, newline="")))


def xlsx_of(content: bytes) -> list[list[Any]]:
    sheet = openpyxl.load_workbook(io.BytesIO(content), read_only=True).active
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def download(api: ApiClient, query: str) -> bytes:
    response = api.get(f"/reports/export?{query}")
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content)


def text(value: Any) -> str:
    return "" if value is None else str(value)


@pytest.mark.parametrize("group", ["", "agent", "day", "weekday_hour", "page"])
def test_a_report_is_a_line_a_group(api: ApiClient, made: list[EpisodeRow], group: str) -> None:
    now = timezone.now()
    asked = f"from={(now - timedelta(days=21)).date()}&to={(now + timedelta(days=2)).date()}"
    asked += f"&group={group}" if group else ""
    shown = api.get(f"/reports?{asked}").json()["data"]
    groups = shown["groups"] if group else [{"key": "all", "label": "all", "figures": shown["figures"]}]
    head, *lines = csv_of(download(api, asked))
    assert head == [
        *("key", "label"),
        *(name for each in COUNTS for name in (each.name, f"{each.name}_of")),
        *(f"{each.name}_{part}" for each in TIMES for part in ("n", "p50", "p90")),
    ]
    expected = [
        [
            *(each["key"], each["label"]),
            *(text(each["figures"][count.name][part]) for count in COUNTS for part in ("value", "of")),
            *(text(each["figures"][time.name][part]) for time in TIMES for part in ("n", "p50", "p90")),
        ]
        for each in groups
    ]
    assert lines == expected
    assert xlsx_of(download(api, f"{asked}&format=xlsx"))[0] == head


def test_episodes_are_the_rows_of_the_list(api: ApiClient, made: list[EpisodeRow]) -> None:
    rows = api.get("/reports/episodes?figure=rated&limit=100").json()["data"]
    head, *lines = csv_of(download(api, "rows=episodes&figure=rated"))
    assert head == list(EPISODE_COLUMNS)
    assert head[9:13] == ["first_reply_at", "first_reply_seconds", "first_reply_kind", "first_reply_agent_id"]
    assert head[-6:] == [
        "rating_agent_id",
        "agents",
        "assistants",
        *(f"messages_{by}" for by in ("visitor", "person", "ai")),
    ]
    assert len(lines) == len(rows) > 10
    for line, row in zip(lines, rows, strict=True):
        told = dict(zip(head, line, strict=True))
        assert told["id"] == str(row["id"])
        assert told["opened_at"] == row["opened_at"]
        assert told["first_reply_seconds"] == text(row["first_reply"] and row["first_reply"]["seconds"])
        assert told["rating_value"] == str(row["rating"]["value"])
        assert told["agents"] == " ".join(map(str, row["agents"]))
        assert told["is_durable"] == {None: "", True: "true", False: "false"}[row["is_durable"]]


def test_a_workbook_has_numbers_and_moments_as_such(api: ApiClient, made: list[EpisodeRow]) -> None:
    rows = api.get("/reports/episodes?limit=100").json()["data"]
    head, *lines = xlsx_of(download(api, "rows=episodes&format=xlsx"))
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        told = dict(zip(head, line, strict=True))
        assert (told["id"], told["chat_id"], told["messages_visitor"]) == (
            row["id"],
            row["chat_id"],
            row["messages"]["visitor"],
        )
        opened = datetime.fromisoformat(row["opened_at"]).replace(tzinfo=None)
        assert abs(told["opened_at"] - opened) < timedelta(milliseconds=2)
        assert told["is_durable"] is row["is_durable"]
        assert told["channel"] == row["channel"]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_no_text_is_a_formula(api: ApiClient, made: list[EpisodeRow], kind: str) -> None:
    EpisodeRow.objects.filter(pk=made[0].pk).update(page="=cmd|' /C calc'!A0", language="+1", channel="@x\x01")
    rows = (csv_of if kind == "csv" else xlsx_of)(download(api, f"rows=episodes&format={kind}"))
    found = next(dict(zip(rows[0], row, strict=True)) for row in rows[1:] if str(row[0]) == str(made[0].pk))
    assert (found["page"], found["language"]) == ("'=cmd|' /C calc'!A0", "'+1")
    grouped = (csv_of if kind == "csv" else xlsx_of)(download(api, f"group=page&format={kind}"))
    assert "'=cmd|' /C calc'!A0" in [row[1] for row in grouped]


def test_a_workbook_holds_so_many_rows_and_csv_any(
    api: ApiClient, made: list[EpisodeRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_ROWS", 69)
    response = api.get("/reports/export?rows=episodes&format=xlsx")
    assert (response.status_code, response.json()["code"]) == (422, "too_many_rows")
    assert len(csv_of(download(api, "rows=episodes"))) == 71
    monkeypatch.setattr(files, "MOST_ROWS", 70)
    assert len(xlsx_of(download(api, "rows=episodes&format=xlsx"))) == 71


REFUSED = {
    "rows=all": "rows",
    "format=pdf": "format",
    "rows=episodes&group=day": "group",
    "rows=episodes&compare=before": "compare",
    "figure=open": "figure",
    "slowest=1": "slowest",
    "rows=episodes&figure=open&slowest=1": "slowest",
    "limit=5": "limit",
}


@pytest.mark.parametrize("query", REFUSED)
def test_a_wrong_parameter_is_refused_by_name(api: ApiClient, query: str) -> None:
    response = api.get(f"/reports/export?{query}")
    assert (response.status_code, list(response.json()["errors"])) == (422, [REFUSED[query]])


def test_files_are_named_and_typed(api: ApiClient, made: list[EpisodeRow]) -> None:
    response = api.get("/reports/export?rows=episodes&format=xlsx&from=2026-01-01&to=2026-02-01&zone=UTC")
    assert response.headers["Content-Disposition"] == 'attachment; filename="episodes-2026-01-01-2026-02-01.xlsx"'
    assert response.headers["Content-Type"].startswith("application/vnd.openxmlformats-officedocument.spreadsheetml")
    assert xlsx_of(b"".join(response.streaming_content)) == [list(EPISODE_COLUMNS)]


@pytest.mark.parametrize("figure", ["episodes", "people", "first_reply&slowest=1"])
def test_a_file_is_read_in_batches(
    api: ApiClient, made: list[EpisodeRow], monkeypatch: pytest.MonkeyPatch, figure: str
) -> None:
    query = f"rows=episodes&figure={figure}&from=2026-01-01T00:00Z"
    whole = download(api, query)
    monkeypatch.setattr(lists, "_ROWS_AT_ONCE", 3)
    assert download(api, query) == whole
    assert len(csv_of(whole)) > 4


def test_the_export_of_a_widget_has_its_episodes(
    cast: Cast, made: list[EpisodeRow], api: ApiClient, tmp_path: Path
) -> None:
    export_widget(widget=cast.widget, directory=tmp_path / "out")
    head, *lines = csv_of((tmp_path / "out" / "episodes.csv").read_bytes())
    assert head == list(EPISODE_COLUMNS)
    assert sorted(int(line[0]) for line in lines) == sorted(row.pk for row in made)
    assert [head, *lines] == csv_of(download(api, "rows=episodes&from=2026-01-01T00:00Z"))
    assert not (tmp_path / "out" / "episode_rows.jsonl").exists()


def test_a_workbook_has_no_character_that_xml_has_not() -> None:
    moment = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    content = b"".join(zipped(workbook([[["a\x00<&\ud800>", None, True, 1.5, moment]], [["  b\n "]]])))
    assert xlsx_of(content) == [
        ["a<&>", None, True, 1.5, datetime(2026, 10, 25, 1, 30)],  # noqa: DTZ001 - as a sheet has it
        ["  b\n "],
    ]

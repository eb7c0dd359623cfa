"""Reports in an export of a widget: the policy of ratings, and a sheet of episodes, which are derived anew."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from apps.accounts.actions.widget_export import ExportSheet, ExportTable, WidgetExport
from apps.core.parsing.periods import Window
from apps.reports.actions.episodes import caught_up
from apps.reports.actions.files import csv_rows
from apps.reports.models import RatingPolicy
from apps.reports.rules.reports import ReportQuery
from apps.reports.rules.tables import EPISODE_COLUMNS
from apps.reports.settings import POLICY

_EVER = Window(datetime(1969, 12, 31, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC))


def exported_of_widget(widget_id: int) -> Iterator[ExportTable | ExportSheet]:
    """Decisions of the policy stay: only episodes that end behind an import are asked about."""
    about = POLICY.export()
    about["without"] = (*about["without"], "since")
    yield ExportTable(name="rating_policy", rows=RatingPolicy.objects.for_widget(widget_id), **about)
    columns = list(EPISODE_COLUMNS)

    def read() -> Iterator[list[dict[str, Any]]]:
        query = ReportQuery(window=_EVER, zone=ZoneInfo("UTC"))
        for rows in csv_rows(widget_id, query, caught_up(widget_id)):
            yield [dict(zip(columns, row, strict=True)) for row in rows]

    yield ExportSheet(name="episodes", columns={name: name for name in columns}, read=read)


EXPORT = WidgetExport(tables=exported_of_widget)

"""Widgets that were there before there were settings go on in Russian (specification, "Implicit defaults")."""

from importlib import import_module

import pytest
from django.db import connection

from apps.accounts.models import Widget
from apps.widget.models import WidgetSettings
from apps.widget.querysets.settings import settings_of
from tests.factories import WidgetFactory

MIGRATION = import_module("apps.widget.migrations.0003_legacy_widgets")


@pytest.mark.django_db
def test_the_migration_marks_the_widgets_that_are_there_and_no_later_one(shop: Widget) -> None:
    with connection.cursor() as cursor:
        cursor.execute(MIGRATION.LEGACY)
    later = WidgetFactory.create()
    assert list(WidgetSettings.objects.values_list("widget_id", "legacy", "stored")) == [(shop.pk, True, {})]
    before, after = settings_of(shop.pk), settings_of(later.pk)
    languages = ("widget_default_language", "widget_fallback_language", "widget_content_source_language")
    assert [before.values[name] for name in languages] == ["ru", "ru", "ru"]
    assert [after.values[name] for name in languages] == ["auto", "en", "en"]
    assert before.language_for("", "en") == "ru"
    (operation,) = MIGRATION.Migration.operations
    assert (operation.sql, operation.reverse_sql) == (MIGRATION.LEGACY, operation.noop)

"""One declaration of a widget's setting gives everything that a setting has (`accounts.settings`)."""

import json
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from apps.accounts.actions.settings import change_settings
from apps.accounts.audit import trail
from apps.accounts.models import Widget
from apps.accounts.rules.settings import number
from apps.accounts.settings import SettingsTable
from apps.ai.settings import SETTINGS as AI
from apps.cabinet.settings_command import SettingsCommand
from apps.cabinet.settings_pages import SettingsForm
from apps.chats.settings import RETENTION
from apps.chats.settings import SETTINGS as CONSOLE
from apps.core.endpoints.serializers import validated_body
from apps.core.problems import Problem
from apps.letters.models import LetterSettings
from apps.letters.settings import SETTINGS as LETTERS
from apps.support.settings import SETTINGS as DESK
from apps.widget.models import WidgetLook, WidgetSettings

# The whole declaration of a new setting.
NAPS = number("naps", "Naps a day", 1, 9, default=2, refusal="Must be a number from 1 to 9.", about="Naps.")
TABLE = SettingsTable(model=WidgetSettings, json_column="stored", rows=(NAPS,))
Body, Answer = TABLE.body("NapsBody", "The naps to change."), TABLE.serializer("NapsSerializer", "Naps.")


class NapsForm(SettingsForm):
    table = TABLE

    class Meta:
        model = WidgetLook
        fields: list[str] = []


class NapsCommand(SettingsCommand):
    table, example = TABLE, "naps=3"


def stored(widget: Widget) -> Any:
    return TABLE.value_of(TABLE.row_of(widget.pk), "naps")


def printed(widget: Widget, *sets: str) -> dict[str, Any]:
    out = StringIO()
    call_command(NapsCommand(), widget=str(widget.guid), set=list(sets), json=True, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_a_declared_setting_is_in_body_and_answer(shop: Widget) -> None:
    assert stored(shop) == 2
    body = validated_body(Body(), {"naps": 4})
    row = change_settings(TABLE, widget_id=shop.pk, changes=body)
    assert TABLE.values(row) == {"naps": 4}
    assert stored(shop) == 4
    assert Answer().fields["naps"].help_text == "Naps."


@pytest.mark.parametrize("value", [0, 10, True, "4", None])
def test_a_value_beyond_its_limits_is_refused_everywhere(
    shop: Widget, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for change in (
        lambda: validated_body(Body(), {"naps": value}),
        lambda: change_settings(TABLE, widget_id=shop.pk, changes={"naps": value}),
    ):
        with pytest.raises(Problem) as refused:
            change()
        assert refused.value.errors.keys() == {"naps"}
    with pytest.raises(SystemExit):
        printed(shop, f"naps={json.dumps(value)}")
    assert "naps: Must be a number from 1 to 9." in capsys.readouterr().err
    if value in (0, 10):
        form = NapsForm({"naps": value}, instance=WidgetLook.objects.get(pk=shop.pk))
        assert form.errors == {"naps": ["Must be a number from 1 to 9."]}
    assert TABLE.export()["checks"]["stored"]({"naps": value}) == "naps: Must be a number from 1 to 9."
    assert not WidgetSettings.objects.for_widget(shop.pk).exists()


def test_a_name_that_nobody_declared_is_refused(shop: Widget) -> None:
    with pytest.raises(Problem) as refused:
        change_settings(TABLE, widget_id=shop.pk, changes={"naps": 4, "dreams": 1})
    assert refused.value.errors == {"dreams": ["There is no such setting."]}
    assert stored(shop) == 2


def test_a_declared_setting_is_in_the_form(shop: Widget) -> None:
    look = WidgetLook.objects.get(pk=shop.pk)
    form = NapsForm(instance=look)
    assert (form.fields["naps"].label, form.fields["naps"].initial) == ("Naps a day", 2)
    changed = NapsForm({"naps": "5"}, instance=look)
    assert changed.is_valid()
    assert changed.changes == {"naps": 5}


def test_a_declared_setting_is_in_the_command(shop: Widget) -> None:
    assert printed(shop) == {"naps": 2}
    assert printed(shop, "naps=3") == {"naps": 3}
    assert stored(shop) == 3


def test_a_declared_setting_is_in_the_export() -> None:
    check = TABLE.export()["checks"]["stored"]
    assert check({"naps": 3}) is None
    assert check({"dreams": 3}) == "dreams: There is no such setting."


def test_a_declared_setting_is_in_the_audit_trail(
    cabinet: Client, shop: Widget, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels: dict[Any, Any] = trail._labels
    monkeypatch.setitem(labels, WidgetSettings, TABLE.labels)
    change_settings(TABLE, widget_id=shop.pk, changes={"naps": 3})
    assert "Naps a day: — → 3" in cabinet.get("/admin/accounts/auditentry/").content.decode()


# Rows of which a widget has one, and that are no settings, or have an own way; this list may only shrink.
UNDECLARED = {
    "agents.WidgetWeek": "hours, which have a form of their own",
    "accounts.WidgetImport": "an import that runs",
    "ai.DetachedTest": "a test that runs",
    "cards.CardSettings": "replaced as a whole, with the secret that signs",
    "kb.Crawler": "a resource that is made and deleted",
    "widget.QuestionSet": "a list of questions, replaced as a whole",
    "widget.WidgetSettings": "a table of its own, in the widget's rules",
}


def test_a_model_of_settings_without_a_declaration_is_found() -> None:
    declared = {
        value.model
        for app in apps.get_app_configs()
        if find_spec(f"{app.name}.settings") and app.name.startswith("apps.")
        for value in vars(import_module(f"{app.name}.settings")).values()
        if isinstance(value, SettingsTable)
    }
    of_a_widget = {
        model._meta.label
        for model in apps.get_models()
        if model._meta.pk.remote_field is not None
        and model._meta.pk.remote_field.model is Widget
        and not model._meta.proxy
        and model not in declared
    }
    assert of_a_widget == UNDECLARED.keys()


@pytest.mark.parametrize(("sent", "kept"), [(["A.test", "a.TEST", "b.test"], ["a.test", "b.test"]), ([], [])])
def test_entries_of_a_list_are_kept_as_clean_makes_them_each_once(
    shop: Widget, sent: list[str], kept: list[str]
) -> None:
    row = change_settings(AI, widget_id=shop.pk, changes={"link_hosts": sent})
    assert row.link_hosts == kept


@pytest.mark.parametrize("entry", [7, None, [], "no host"])
def test_a_list_with_an_entry_that_is_no_text_is_refused(shop: Widget, entry: Any) -> None:
    with pytest.raises(Problem) as refused:
        change_settings(AI, widget_id=shop.pk, changes={"enabled": True, "link_hosts": ["a.test", entry]})
    assert refused.value.errors == {"link_hosts": [AI.by_name["link_hosts"].refusal]}
    assert not AI.model.objects.for_widget(shop.pk).exists()


def test_the_consequence_of_a_change_is_called_with_the_columns_that_changed(shop: Widget) -> None:
    told: list[list[str]] = []
    for value in (3, 3, 4):
        change_settings(TABLE, widget_id=shop.pk, changes={"naps": value}, then=lambda row, names: told.append(names))
    assert told == [["stored"], ["stored"]]


@pytest.mark.parametrize(
    "table", [LETTERS, DESK, CONSOLE, RETENTION, AI], ids=["letters", "support", "console", "retention", "ai"]
)
def test_each_row_of_a_table_has_a_column_a_place_on_the_page_and_words(table: SettingsTable) -> None:
    columns = {field.attname for field in table.model._meta.concrete_fields}
    placed = [name for _title, names in table.sections for name in names if name in table.by_name]
    assert table.by_name.keys() <= columns
    assert sorted(placed) == sorted(table.by_name) or not table.sections
    assert all(row.label and (row.refusal or row.refuses) for row in table.rows)
    assert trail.labels_of(table.model) == table.labels
    assert table.export()["checks"].keys() == table.by_name.keys()
    assert table.body("SomeBody", "").__name__ == "SomeBody"
    assert table.body("SomeBody", "")().fields.keys() == table.by_name.keys()
    assert table.serializer("SomeSerializer", "")().fields.keys() == table.by_name.keys()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("answers", "never"),
        ("answers", None),
        ("unseen_min", 0),
        ("unseen_min", 121),
        ("unseen_min", True),
        ("waiting_min", 2),
        ("of_ai", 1),
        ("site", "http://tea.test/"),
        ("site", "https://tea.test/#top"),
        ("site", 7),
        ("shop_address", "tea"),
        ("shop_address", 7),
    ],
)
def test_a_bad_setting_of_letters_is_refused_by_name(shop: Widget, name: str, value: Any) -> None:
    with pytest.raises(Problem) as refused:
        change_settings(LETTERS, widget_id=shop.pk, changes={"of_ai": True} | {name: value})
    assert refused.value.errors == {name: [LETTERS.by_name[name].refusal]}
    assert not LetterSettings.objects.for_widget(shop.pk).exists()


def test_a_cleared_text_of_letters_is_null(shop: Widget) -> None:
    for value, shown in (("https://tea.test/help", "https://tea.test/help"), (None, None), ("", None)):
        row = change_settings(LETTERS, widget_id=shop.pk, changes={"site": value, "waiting_min": 0})
        assert LETTERS.value_of(row, "site") == shown
        assert row.site == (shown or "")


def test_letters_that_are_switched_on_again_write_about_no_old_chat(shop: Widget) -> None:
    chosen = change_settings(LETTERS, widget_id=shop.pk, changes={"answers": "off"})
    assert chosen.since == shop.created_at
    again = change_settings(LETTERS, widget_id=shop.pk, changes={"answers": "on"})
    assert again.since > shop.created_at


def test_the_former_address_of_the_consoles_page_leads_to_it(client: Client) -> None:
    answer = client.get("/admin/chats/desksettings/7/change/?tab=1")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/chats/consolesettings/7/change/?tab=1")

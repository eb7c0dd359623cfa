"""The widget's settings: every member, what it may be, and what a change does (specification, "Widget settings")."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actions import add_widget
from apps.accounts.models import AuditEntry, Widget
from apps.accounts.questions import Entitlements
from apps.widget.models import Icon, WidgetSettings
from apps.widget.querysets.settings import settings_of
from apps.widget.rules import fields
from apps.widget.rules.settings import changed, effective, merged_profiles
from tests.client import ApiClient, assert_problem
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db

READ_ONLY = [each.name for each in fields.SETTINGS if each.read_only]


def settings(api: ApiClient) -> dict[str, Any]:
    response = api.get("/api/v1/widget/settings")
    assert response.status_code == 200
    found: dict[str, Any] = response.json()["data"]
    return found


def patched(api: ApiClient, **changes: Any) -> dict[str, Any]:
    response = api.patch("/api/v1/widget/settings", json=changes)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["data"]
    return found


def refused(api: ApiClient, **changes: Any) -> set[str]:
    """What a change is refused for; nothing is stored."""
    before = settings(api)
    response = api.patch("/api/v1/widget/settings", json=changes)
    assert_problem(response, 422, "invalid_input")
    assert settings(api) == before
    return set(response.json()["errors"])


class TestObject:
    def test_a_new_widget_has_every_member_by_default(self, api: ApiClient, shop: Widget) -> None:
        found = settings(api)
        assert list(found) == [each.name for each in fields.SETTINGS]
        assert found["widget_id"] == shop.guid
        assert (found["widget_position"], found["widget_offset_x"], found["widget_button_size"]) == ("right", 20, 75)
        assert found["widget_default_language"] == "auto"
        assert (found["widget_supported_languages"], found["widget_fallback_language"]) == (["ru", "en"], "en")
        assert (found["widget_name"], found["widget_signature"], found["widget_greeting"]) == (None, None, None)
        assert found["device_profiles"] == {"enabled": False, "desktop": {}, "mobile": {}}
        assert found["widget_language_policy_revision"] == found["widget_translation_revision"] == 1
        assert not WidgetSettings.objects.exists()

    def test_a_legacy_widget_goes_on_in_russian(self, api: ApiClient, shop: Widget) -> None:
        WidgetSettings.objects.create(widget=shop, legacy=True)
        found = settings(api)
        assert (found["widget_default_language"], found["widget_fallback_language"]) == ("ru", "ru")
        assert (found["widget_supported_languages"], found["widget_content_source_language"]) == (["ru", "en"], "ru")

    def test_the_status_says_that_there_is_no_credential(self, api: ApiClient) -> None:
        assert settings(api)["widget_translation_status"] == {
            "available": False,
            "enabled": False,
            "reason": "credential_missing",
            "revision": 1,
            "total": 0,
            "counts": {"ready": 0, "stale": 0, "pending": 0, "failed": 0},
        }


class TestChange:
    def test_what_is_sent_changes_and_nothing_else(self, api: ApiClient) -> None:
        before = settings(api)
        after = patched(api, widget_position="left", widget_show_files=False, widget_accent_color="#2F6b3c")
        differing = {name for name in before if before[name] != after[name]}
        assert differing == {"widget_position", "widget_show_files", "widget_accent_color", "updated_at"}
        assert settings(api) == after

    def test_null_clears_and_the_default_holds(self, api: ApiClient) -> None:
        patched(api, widget_show_files=False, widget_name="Leaf", widget_button_size=50)
        after = patched(api, widget_show_files=None, widget_name=None, widget_button_size=None)
        assert (after["widget_show_files"], after["widget_name"], after["widget_button_size"]) == (True, None, 75)
        assert WidgetSettings.objects.get().stored == {}

    def test_equal_values_and_an_empty_change_change_nothing(self, api: ApiClient) -> None:
        before = patched(api, widget_position="left")
        assert patched(api) == before
        assert patched(api, widget_position="left", widget_offset_x=20, device_profiles=None) == before
        assert WidgetSettings.objects.get().stored == {"widget_position": "left"}

    @pytest.mark.parametrize(("sent", "kept"), [(True, "spin"), (False, "static"), ("spiral", "spiral")])
    def test_the_motion_may_be_a_boolean(self, api: ApiClient, sent: Any, kept: str) -> None:
        assert patched(api, icon_custom_animated=sent)["icon_custom_animated"] == kept

    def test_texts_are_kept_as_they_are_sent(self, api: ApiClient) -> None:
        text = "  <b>Hi</b>\n{{7*7}} \u202eabc"
        assert patched(api, widget_greeting=text)["widget_greeting"] == text

    def test_a_change_is_audited(self, api: ApiClient) -> None:
        patched(api, widget_position="left")
        assert AuditEntry.objects.filter(content_type__model="widgetsettings").exists()


class TestRefusals:
    @pytest.mark.parametrize("name", READ_ONLY)
    def test_a_read_only_member_is_named(self, api: ApiClient, name: str) -> None:
        assert refused(api, **{name: 1, "widget_position": "left"}) == {name}

    @pytest.mark.parametrize("name", sorted(fields.POLICY))
    def test_the_language_policy_refuses_null(self, api: ApiClient, name: str) -> None:
        assert refused(api, **{name: None}) == {name}

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("widget_offset_x", 75.0),
            ("widget_offset_x", "75"),
            ("widget_offset_x", True),
            ("widget_offset_x", -1),
            ("widget_offset_x", 501),
            ("widget_chat_width", 319),
            ("widget_chat_height", 801),
            ("widget_z_index", 0),
            ("widget_z_index", 2**31),
            ("widget_button_size", 60),
            ("widget_sound", 1),
            ("widget_position", "top"),
            ("widget_accent_color", "#12345"),
            ("widget_accent_color", "#123456\n"),
            ("widget_accent_color", "red"),
            ("widget_skin", "none"),
            ("icon_preset", "custom:0"),
            ("icon_preset", "chat\n"),
            ("icon_custom_animated", 1),
            ("widget_name", ""),
            ("widget_name", "  "),
            ("widget_name", "a\nb"),
            ("widget_name", "x" * 81),
            ("widget_signature", "x" * 161),
            ("widget_greeting", "x" * 1001),
            ("widget_greeting", "a\tb"),
            ("widget_default_language", "fr"),
            ("widget_supported_languages", []),
            ("widget_supported_languages", "ru"),
            ("price_list", {}),
        ],
    )
    def test_what_no_setting_may_be_is_named(self, api: ApiClient, name: str, value: Any) -> None:
        assert refused(api, **{name: value}) == {name}

    @pytest.mark.parametrize(
        ("changes", "paths"),
        [
            ({"device_profiles": {"tablet": {}}}, {"device_profiles.tablet"}),
            (
                {"device_profiles": {"desktop": {"widget_button_size": 60}}},
                {"device_profiles.desktop.widget_button_size"},
            ),
            ({"device_profiles": {"mobile": {"widget_skin": "sand"}}}, {"device_profiles.mobile.widget_skin"}),
            ({"device_profiles": {"enabled": 1}}, {"device_profiles.enabled"}),
            ({"widget_supported_languages": ["ru", "ru"]}, {"widget_supported_languages.1"}),
            ({"widget_supported_languages": ["ru", "fr"]}, {"widget_supported_languages.1"}),
            ({"widget_text_translations": {"de": {"widget_name": "x"}}}, {"widget_text_translations.de"}),
            ({"widget_text_translations": {"ru": {}}}, {"widget_text_translations.ru"}),
            ({"widget_text_translations": {"ru": {"widget_name": None}}}, {"widget_text_translations.ru.widget_name"}),
            ({"widget_text_translations": {"ru": {"title": "x"}}}, {"widget_text_translations.ru.title"}),
            ({"widget_text_translations": {"fr": {"widget_name": "x"}}}, {"widget_text_translations.fr"}),
            ({"widget_default_language": "de"}, {"widget_default_language"}),
            ({"widget_fallback_language": "de"}, {"widget_fallback_language"}),
            ({"widget_supported_languages": ["ru"]}, {"widget_supported_languages"}),
            ({"widget_position": "up", "widget_offset_x": -1}, {"widget_position", "widget_offset_x"}),
        ],
    )
    def test_every_cause_is_named_by_its_path(self, api: ApiClient, changes: dict[str, Any], paths: set[str]) -> None:
        assert refused(api, **changes) == paths

    def test_icons_of_others_are_refused_and_what_was_chosen_stays(
        self, api: ApiClient, shop: Widget, rival: Any
    ) -> None:
        own, foreign = (an_icon(widget) for widget in (shop, rival.widget))
        assert refused(api, icon_preset=str(foreign)) == {"icon_preset"}
        assert refused(api, icon_preset="custom:999999") == {"icon_preset"}
        sent = {"mobile": {"icon_preset": str(foreign)}}
        assert refused(api, device_profiles=sent) == {"device_profiles.mobile.icon_preset"}
        assert patched(api, icon_preset=str(own))["icon_preset"] == str(own)

    def test_a_premium_skin_needs_a_plan_when_it_is_chosen(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert patched(api, widget_skin="aurora")["widget_skin"] == "aurora"
        unpaid = Entitlements(paid=False, ad_slots=0)
        monkeypatch.setattr("apps.widget.actions.settings.entitlements_of", lambda widget_id: unpaid)
        assert patched(api, widget_skin="aurora", widget_position="left")["widget_skin"] == "aurora"
        assert refused(api, widget_skin="ocean") == {"widget_skin"}


def an_icon(widget: Widget) -> Icon:
    return Icon.objects.create(
        widget=widget, key="ab/cd", content_type="image/png", animated=False, width=16, height=16, size=1
    )


class TestProfiles:
    def test_device_profiles_are_merged_deeply(self, api: ApiClient) -> None:
        patched(api, device_profiles={"enabled": True, "mobile": {"widget_offset_x": 8, "widget_offset_y": 9}})
        after = patched(
            api, device_profiles={"desktop": {"widget_button_size": 100}, "mobile": {"widget_offset_x": None}}
        )
        assert after["device_profiles"] == {
            "enabled": True,
            "desktop": {"widget_button_size": 100},
            "mobile": {"widget_offset_y": 9},
        }
        off = patched(api, device_profiles={"enabled": None, "desktop": None})
        assert off["device_profiles"] == {"enabled": False, "desktop": {}, "mobile": {"widget_offset_y": 9}}
        gone = patched(api, device_profiles=None)
        assert gone["device_profiles"] == {"enabled": False, "desktop": {}, "mobile": {}}


class TestPolicy:
    def test_the_revision_rises_by_one_with_each_change_of_it(self, api: ApiClient) -> None:
        assert patched(api, widget_position="left")["widget_language_policy_revision"] == 1
        both = patched(api, widget_default_language="en", widget_supported_languages=["en", "de"])
        assert both["widget_language_policy_revision"] == 2
        assert patched(api, widget_default_language="en")["widget_language_policy_revision"] == 2

    def test_the_matrix_is_replaced_whole(self, api: ApiClient) -> None:
        patched(api, widget_text_translations={"ru": {"widget_name": "Лист"}, "en": {"widget_name": "Leaf"}})
        after = patched(api, widget_text_translations={"ru": {"widget_greeting": "Привет"}})
        assert after["widget_text_translations"] == {"ru": {"widget_greeting": "Привет"}}
        assert patched(api, widget_text_translations={})["widget_text_translations"] == {}

    def test_a_language_in_use_cannot_be_taken_out(self, api: ApiClient) -> None:
        patched(api, widget_text_translations={"ru": {"widget_name": "Лист"}})
        assert refused(api, widget_supported_languages=["en"]) == {"widget_supported_languages"}
        after = patched(api, widget_supported_languages=["en"], widget_text_translations={})
        assert after["widget_supported_languages"] == ["en"]

    def test_the_language_is_the_same_write(self, api: ApiClient) -> None:
        implicit = {"widget_default_language": "auto", "is_default": True, "effective_language": "en"}
        assert api.get("/api/v1/widget/language").json()["data"] == implicit
        response = api.put("/api/v1/widget/language", json={"widget_default_language": "ru"})
        assert response.json()["data"] == {
            "widget_default_language": "ru",
            "is_default": False,
            "effective_language": "ru",
        }
        assert settings(api)["widget_language_policy_revision"] == 2
        refusal = api.put("/api/v1/widget/language", json={"widget_default_language": "de"})
        assert_problem(refusal, 422, "invalid_input")
        assert set(refusal.json()["errors"]) == {"widget_default_language"}
        assert_problem(api.put("/api/v1/widget/language", json={}), 422, "invalid_input")


class TestSchema:
    def test_it_has_exactly_the_objects_members(self, api: ApiClient) -> None:
        schema = api.get("/api/v1/widget/settings/schema").json()["data"]
        assert set(schema["fields"]) == set(settings(api))
        assert schema["schema_version"] == fields.SCHEMA_VERSION

    def test_it_says_what_a_field_may_be(self, api: ApiClient) -> None:
        described = api.get("/api/v1/widget/settings/schema").json()["data"]["fields"]
        assert described["widget_offset_x"] == {
            "type": "integer",
            "read_only": False,
            "nullable": True,
            "strict_json_type": True,
            "accepted_types": ["integer", "null"],
            "validation_rules": ["min:0", "max:500"],
            "patch": "replace",
            "default_semantics": "render_default",
            "effective_default": 20,
            "device_profile": True,
            "translatable": False,
            "range": {"min": 0, "max": 500},
        }
        assert described["widget_button_size"]["enum"] == [50, 75, 100]
        assert described["icon_custom_animated"]["accepted_values"] == ["static", "spin", "spiral", True, False]
        assert described["widget_accent_color"]["pattern"] == r"/\A#[0-9a-f]{6}\z/i"
        assert described["widget_skin"]["catalog_url"] == "/api/v1/widget/skins"
        assert described["device_profiles"]["patch"] == "merge_deep"
        assert set(described["device_profiles"]["fields"]) == {"enabled", "desktop", "mobile"}
        assert described["widget_text_translations"]["patch"] == "replace_whole"
        assert "effective_default" not in described["widget_id"]
        assert described["widget_id"]["patch"] == "refused"

    def test_the_default_of_a_legacy_widget_is_its_own(self, api: ApiClient, shop: Widget) -> None:
        WidgetSettings.objects.create(widget=shop, legacy=True)
        described = api.get("/api/v1/widget/settings/schema").json()["data"]["fields"]
        assert described["widget_default_language"]["effective_default"] == "ru"


leaves = st.dictionaries(st.sampled_from(["widget_offset_x", "widget_offset_y"]), st.none() | st.integers(0, 3))
profiles = st.fixed_dictionaries(
    {},
    optional={"enabled": st.none() | st.booleans(), "desktop": st.none() | leaves, "mobile": st.none() | leaves},
)


@given(st.lists(st.none() | profiles, max_size=6))
def test_profiles_are_what_a_plain_model_of_the_merge_says(changes: list[Any]) -> None:
    stored: dict[str, Any] = {}
    model: dict[str, Any] = {"enabled": False, "desktop": {}, "mobile": {}}
    for change in changes:
        stored = changed(stored, {"device_profiles": change}, legacy=False)
        if change is None:
            model = {"enabled": False, "desktop": {}, "mobile": {}}
        else:
            for name, value in change.items():
                if name == "enabled":
                    model[name] = bool(value)
                elif value is None:
                    model[name] = {}
                else:
                    model[name] = {k: v for k, v in {**model[name], **value}.items() if v is not None}
        assert effective(stored, legacy=False)["device_profiles"] == model


@given(profiles)
def test_merging_twice_is_merging_once(change: dict[str, Any]) -> None:
    once = merged_profiles({}, change)
    assert merged_profiles(once, change) == once


class TestNewWidget:
    """The languages of a widget from its first moment."""

    @pytest.mark.parametrize(
        ("fields", "language"),
        [
            ({"language": "ru"}, "ru"),
            ({"seen_language": "ru"}, "ru"),
            ({"language": "en", "seen_language": "ru"}, "en"),
            ({}, "en"),
        ],
    )
    def test_own_texts_are_in_the_owners_language(self, shop: Widget, fields: dict[str, str], language: str) -> None:
        owner = StaffFactory.create(account=shop.account, role="owner", **fields)
        widget = add_widget(account=shop.account, name="Чай", owner=owner)
        shown = settings_of(widget.pk).values
        assert (shown["widget_fallback_language"], shown["widget_content_source_language"]) == (language, language)

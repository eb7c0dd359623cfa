"""What visitors are served: the settings, in their language (specification, "Widget settings")."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.agents.rules.departments import ALL_WEEK, DAYS, whole_week
from apps.chats import questions
from apps.chats.models import Contact
from apps.chats.rules.languages import LANGUAGES
from apps.letters.settings import SETTINGS
from apps.widget.models import WidgetSettings
from apps.widget.rules import languages
from tests.client import ApiClient
from tests.factories import DepartmentFactory
from tests.factories.widget import VisitorSessionFactory
from tests.hooks import hook
from tests.uploads import FORM, form, part, picture
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


def choose(shop: Widget, **stored: Any) -> None:
    WidgetSettings.objects.update_or_create(widget=shop, defaults={"stored": stored})


def config(visitor: VisitorClient, query: str = "", accepted: str = "") -> dict[str, Any]:
    response = visitor.get(f"config{query}", Accept_Language=accepted)
    assert response.status_code == 200
    found: dict[str, Any] = response.json()["data"]
    return found


def test_a_new_widget_is_served_by_default(visitor: VisitorClient, shop: Widget) -> None:
    data = config(visitor)
    assert (data["language"], data["direction"]) == ("en", "ltr")
    assert data["languages"] == [{"code": "ru", "name": "Русский"}, {"code": "en", "name": "English"}]
    assert (data["widget_name"], data["widget_signature"]) == (shop.name, None)
    assert data["widget_greeting"] == languages.GREETINGS["en"]
    assert (data["widget_position"], data["widget_z_index"], data["widget_sound"]) == ("right", 2_147_483_000, False)
    assert data["device_profiles"] is None
    assert data["icon"]["path"].startswith("M")
    assert data["icon"]["url"] is data["icon"]["still_url"] is None
    assert data["features"] == {"files": True, "rating": True, "offline_form": True}
    assert (data["api_enabled"], data["identity"], data["departments"]) == (True, False, [])
    assert data["theme"]["light"].keys() == data["theme"]["dark"].keys()


EVERY = list(LANGUAGES)


@pytest.mark.parametrize(
    ("stored", "query", "accepted", "language"),
    [
        ({"widget_supported_languages": EVERY}, "?lang=de-AT", "ru", "de"),
        ({"widget_supported_languages": EVERY, "widget_default_language": "es"}, "?lang=de", "ru", "de"),
        ({"widget_supported_languages": EVERY, "widget_default_language": "es"}, "?lang=fr", "ru", "es"),
        ({"widget_supported_languages": EVERY, "widget_default_language": "es"}, "", "ru", "es"),
        ({"widget_supported_languages": EVERY}, "?lang=xx", "el;q=0.5, zh-CN", "zh"),
        ({"widget_supported_languages": EVERY}, "", "fr, ar;q=0.8, en;q=0.9", "en"),
        ({}, "?lang=de", "de, ru;q=0.5", "ru"),
        ({}, "", "de", "en"),
        ({"widget_fallback_language": "ru"}, "", "de", "ru"),
        ({}, "?lang=entish", "ru", "ru"),
    ],
)
def test_the_language_is_the_first_of_four(
    visitor: VisitorClient, shop: Widget, stored: dict[str, Any], query: str, accepted: str, language: str
) -> None:
    choose(shop, **stored)
    assert config(visitor, query, accepted)["language"] == language


def test_texts_are_manual_then_the_tenants_then_the_catalogue(visitor: VisitorClient, shop: Widget) -> None:
    choose(
        shop,
        widget_name="Leaf",
        widget_supported_languages=["en", "ru", "ar"],
        widget_text_translations={"ru": {"widget_name": "Лист"}},
    )
    served_texts = {code: config(visitor, f"?lang={code}") for code in ("en", "ru", "ar")}
    assert {code: data["widget_name"] for code, data in served_texts.items()} == {
        "en": "Leaf",
        "ru": "Лист",
        "ar": "Leaf",
    }
    assert served_texts["ar"]["widget_greeting"] == languages.GREETINGS["ar"]
    assert (served_texts["ar"]["direction"], served_texts["ar"]["texts"]) == ("rtl", languages.CLOSED["ar"])


def test_switches_take_away_what_they_name(visitor: VisitorClient, shop: Widget) -> None:
    choose(shop, widget_show_greeting=False, widget_show_files=False, widget_show_rating=False)
    data = config(visitor)
    assert data["widget_greeting"] is None
    assert data["features"] == {"files": False, "rating": False, "offline_form": True}


@pytest.mark.parametrize(("mode", "count"), [("faces", 1), ("names", 1), ("hidden", 0)])
def test_operators_are_shown_as_the_owner_chose(
    visitor: VisitorClient, shop: Widget, olga: Agent, mode: str, count: int
) -> None:
    Agent.objects.filter(pk=olga.pk).update(avatar="ab/" + "c" * 30)
    choose(shop, operators_display_mode=mode)
    operators = config(visitor)["operators"]
    assert len(operators) == count
    assert all((each["avatar_url"] is None) == (mode == "names") for each in operators)


def test_the_accent_takes_the_skins_place(visitor: VisitorClient, shop: Widget) -> None:
    choose(shop, widget_skin="sand", widget_accent_color="#FFFF00")
    theme = config(visitor)["theme"]
    assert theme["light"]["accent"] == theme["dark"]["accent"] == "#ffff00"
    assert theme["light"]["accent_text"] == "#111418"


def test_profiles_are_served_while_enabled_with_their_icons(
    visitor: VisitorClient, shop: Widget, api: ApiClient
) -> None:
    upload = api.post("/api/v1/widget/icons", data=form(part(picture("GIF", frames=2))), content_type=FORM).json()[
        "data"
    ]
    mobile = {"icon_preset": upload["id"], "widget_offset_x": 4}
    choose(shop, device_profiles={"mobile": mobile})
    assert config(visitor)["device_profiles"] is None
    choose(shop, device_profiles={"enabled": True, "mobile": mobile})
    profiles = config(visitor)["device_profiles"]
    assert profiles["desktop"] == {}
    icon = {"path": None, "url": upload["url"], "still_url": upload["still_url"]}
    assert profiles["mobile"] == {**mobile, "icon": icon}


def test_departments_that_take_the_widgets_chats_are_told(visitor: VisitorClient, shop: Widget, rival: Any) -> None:
    sales = Department.objects.create(widget=shop, name="Sales", channels=["smb"])
    Department.objects.create(widget=shop, name="Colleagues", channels=["smb"], internal=True)
    Department.objects.create(widget=shop, name="Telegram", channels=["tg"])
    assert config(visitor)["departments"] == [{"id": sales.pk, "name": "Sales", "open": True}]


def test_nothing_secret_is_served(visitor: VisitorClient, shop: Widget, olga: Agent) -> None:
    WidgetSettings.objects.create(widget=shop, identity_secret="s3cret-of-the-shop")
    response = visitor.get("config")
    assert response.json()["data"]["identity"] is True
    assert b"s3cret" not in response.content
    assert b"@" not in response.content


def test_it_is_read_in_a_number_of_statements_that_does_not_grow(
    visitor: VisitorClient, shop: Widget, olga: Agent
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            config(visitor)
        return len(captured)

    choose(shop, widget_name="Leaf")
    before = statements()
    for number in range(5):
        Department.objects.create(widget=shop, name=f"D{number}", channels=["smb"])
        Agent.objects.create(widget=shop, name=f"A{number}", email=f"a{number}@shop.test")
    assert statements() == before


def test_it_may_be_compressed_and_says_by_what_it_varies(visitor: VisitorClient) -> None:
    response = visitor.get("config", Accept_Encoding="gzip")
    assert response["Content-Encoding"] == "gzip"
    assert response["ETag"].startswith('W/"')
    assert {name.strip() for name in response["Vary"].split(",")} == {"Accept-Language", "Origin", "Accept-Encoding"}
    assert response["Cache-Control"] == "no-cache"


def test_other_apps_add_members(visitor: VisitorClient, monkeypatch: pytest.MonkeyPatch) -> None:
    hook(monkeypatch, served_config=lambda widget_id, language: {"ai": {"greeting": language}})
    assert config(visitor)["ai"] == {"greeting": "en"}


class TestLanguageSlot:
    def test_the_widgets_own_language_is_served(self, shop: Widget) -> None:
        assert questions.widget_language(shop.pk) == "en"
        choose(shop, widget_default_language="ru")
        assert questions.widget_language(shop.pk) == "ru"

    def test_a_contacts_newest_if_it_is_supported(self, ivan: Contact) -> None:
        assert questions.contact_language(ivan.pk) is None
        VisitorSessionFactory.create(contact=ivan, lang="ru")
        assert questions.contact_language(ivan.pk) == "ru"
        VisitorSessionFactory.create(contact=ivan, lang="de")
        assert questions.contact_language(ivan.pk) is None


class TestBackAt:
    """When the first department opens, while all of them are closed."""

    def test_without_departments_nobody_knows(self, visitor: VisitorClient) -> None:
        assert visitor.get("config").json()["data"]["back_at"] is None

    def test_the_first_to_open_counts_in_the_widget_s_time_zone(self, visitor: VisitorClient, shop: Widget) -> None:
        tomorrow = datetime.now(ZoneInfo(shop.time_zone)) + timedelta(days=1)
        for hour in ("10:30", "09:00"):
            week = {DAYS[tomorrow.weekday()]: {"from": hour, "to": "23:00"}}
            DepartmentFactory.create(widget=shop, channels=["smb"], schedule=whole_week(week))
        never = DepartmentFactory.create(widget=shop, channels=["smb"], schedule=whole_week({}))
        assert never.pk
        opens = tomorrow.replace(hour=9, minute=0, second=0, microsecond=0)
        assert datetime.fromisoformat(visitor.get("config").json()["data"]["back_at"]) == opens

    def test_while_one_is_open_there_is_nothing_to_wait_for(self, visitor: VisitorClient, shop: Widget) -> None:
        DepartmentFactory.create(widget=shop, channels=["smb"], schedule=whole_week({}))
        DepartmentFactory.create(widget=shop, channels=["smb"], schedule=dict(ALL_WEEK))
        assert visitor.get("config").json()["data"]["back_at"] is None


def test_whether_answers_are_mailed_is_the_cabinet_s_choice(visitor: VisitorClient, shop: Widget) -> None:
    for mode in ("on", "ask", "off"):
        change_settings(SETTINGS, widget_id=shop.pk, changes={"answers": mode})
        config = visitor.get("config").json()["data"]
        assert (config["letters"], config["mail_answers"]) == ({"mode": mode}, mode == "ask")

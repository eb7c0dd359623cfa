"""Translations of the tenant's texts: their states, the jobs, the budget (specification, "Widget settings")."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.models import Widget
from apps.core.models import IdempotencyKey, QuotaUse
from apps.kb.questions import ModelFailed, NoModel
from apps.leases import claims
from apps.widget.actions.translations import RESERVATIONS, ask_everywhere
from apps.widget.models import Translation, WidgetSettings
from apps.widget.rules import translations
from apps.widget.tasks import QUEUE
from tests.client import ApiClient, assert_problem
from tests.widget.chat_model import Model, plugged_in
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

STORED = {
    "widget_greeting": "Hello, {name}! See https://shop.test/tea",
    "widget_supported_languages": ["en", "ru", "de"],
    "widget_auto_translate_custom_texts": True,
}
RUSSIAN = "Здравствуйте, {name}! Смотрите https://shop.test/tea"
REGENERATE = "/api/v1/widget/translations/regenerate"


@pytest.fixture
def model() -> Iterator[Model]:
    with plugged_in() as found:
        found.answers = [RUSSIAN]
        yield found


@pytest.fixture
def chosen(shop: Widget) -> WidgetSettings:
    return WidgetSettings.objects.create(widget=shop, stored=dict(STORED))


def ask(api: ApiClient, *locales: str, fields: Any = ("widget_greeting",), **more: Any) -> Any:
    return api.post(REGENERATE, json={"fields": list(fields), "locales": list(locales)}, **more)


def work() -> int:
    """Has every due job done; how many there were."""
    done = 0
    while leases := claims.claim(QUEUE, wanted=5, after=0):
        for lease in leases:
            lease.run()
        done += len(leases)
    return done


def cell(api: ApiClient, locale: str, field: str = "widget_greeting") -> dict[str, Any]:
    data = api.get("/api/v1/widget/translations").json()["data"]
    (found,) = [each for each in data["translations"] if (each["field"], each["locale"]) == (field, locale)]
    return found  # type: ignore[no-any-return]


class TestJob:
    def test_what_the_model_says_is_served(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, visitor: VisitorClient
    ) -> None:
        response = ask(api, "ru")
        assert response.status_code == 202
        assert response.json()["data"] == {
            "revision": 1,
            "jobs": [{"field": "widget_greeting", "locale": "ru", "state": "pending"}],
            "reserved": 1,
            "remaining": 41,
        }
        assert cell(api, "ru")["state"] == "pending"
        assert work() == 1
        assert visitor.get("config?lang=ru").json()["data"]["widget_greeting"] == RUSSIAN
        found = cell(api, "ru")
        assert (found["state"], found["shown"], found["characters"]) == ("ready", "ai", len(RUSSIAN))
        (asked,) = model.asked
        assert asked["purpose"] == "translation"
        assert STORED["widget_greeting"] in asked["messages"][0][1]

    def test_no_text_is_told_or_logged(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.DEBUG):
            ask(api, "ru")
            work()
            response = api.get("/api/v1/widget/translations")
        row = Translation.objects.get()
        for told in (response.content.decode(), caplog.text):
            assert "Здравствуйте" not in told
            assert row.source_hash not in told

    def test_a_bad_answer_is_asked_for_once_more(self, api: ApiClient, chosen: WidgetSettings, model: Model) -> None:
        model.answers = ["Привет", RUSSIAN]
        ask(api, "ru")
        work()
        assert cell(api, "ru")["state"] == "ready"
        assert len(model.asked) == 2

    def test_two_bad_ones_fail_and_what_was_shown_stays(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, visitor: VisitorClient
    ) -> None:
        ask(api, "ru")
        work()
        model.answers = ["no"]
        ask(api, "ru")
        assert cell(api, "ru")["shown"] == "ai"
        work()
        found = cell(api, "ru")
        assert (found["state"], found["error"], found["shown"]) == ("failed", "invalid_text", "ai")
        assert visitor.get("config?lang=ru").json()["data"]["widget_greeting"] == RUSSIAN

    def test_trouble_is_waited_for_and_then_given_up(
        self, api: ApiClient, chosen: WidgetSettings, model: Model
    ) -> None:
        model.answers = [ModelFailed("timeout")]
        ask(api, "ru")
        for attempt, wait in enumerate((10, 60, 600), 1):
            assert work() == 1
            row = Translation.objects.get()
            assert (row.state, row.attempts) == ("pending", attempt)
            assert row.due_at is not None
            assert abs((row.due_at - timezone.now()).total_seconds() - wait) < 5
            Translation.objects.update(due_at=timezone.now() - timedelta(seconds=1))
        assert work() == 1
        found = cell(api, "ru")
        assert (found["state"], found["error"]) == ("failed", "provider_failure")
        assert RESERVATIONS.remaining(chosen.pk) == 41

    def test_a_credential_that_went_fails_it(self, api: ApiClient, chosen: WidgetSettings, model: Model) -> None:
        ask(api, "ru", "de")
        model.answers = [NoModel()]
        work()
        assert {cell(api, locale)["error"] for locale in ("ru", "de")} == {"credential_missing"}

    def test_a_source_that_changes_meanwhile_is_translated_anew(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ask(api, "ru")
        (lease,) = claims.claim(QUEUE, wanted=1, after=0)

        def change(*args: Any, **more: Any) -> Any:
            chosen.stored["widget_greeting"] = "Bye"
            chosen.save(update_fields=["stored"])
            return real(*args, **more)

        real = model.complete
        monkeypatch.setattr(model, "complete", change)
        lease.run()
        monkeypatch.setattr(model, "complete", real)
        assert cell(api, "ru")["state"] == "pending"
        model.answers = ["Пока"]
        work()
        assert cell(api, "ru")["state"] == "ready"
        assert Translation.objects.get().text == "Пока"

    def test_what_nobody_wants_any_more_goes(self, api: ApiClient, chosen: WidgetSettings, model: Model) -> None:
        ask(api, "ru")
        chosen.stored = {**chosen.stored, "widget_auto_translate_custom_texts": False}
        chosen.save(update_fields=["stored"])
        work()
        assert not model.asked
        assert not Translation.objects.exists()


class TestRegenerate:
    @pytest.mark.parametrize(
        ("fields", "locales", "paths"),
        [
            ([], ["ru"], {"fields"}),
            (["widget_greeting"], [], {"locales"}),
            (["widget_greeting", "widget_greeting"], ["ru"], {"fields.1"}),
            (["title"], ["ru"], {"fields.0"}),
            (["widget_greeting", "widget_name"], ["ru"], {"fields.1"}),
            (["widget_greeting"], ["ru", "en"], {"locales.1"}),
            (["widget_greeting"], ["es"], {"locales.0"}),
            (["widget_greeting"], ["fr"], {"locales.0"}),
        ],
    )
    def test_what_can_not_be_translated_is_named(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, fields: Any, locales: Any, paths: set[str]
    ) -> None:
        response = ask(api, *locales, fields=fields)
        assert_problem(response, 422, "invalid_input")
        assert set(response.json()["errors"]) == paths
        assert not QuotaUse.objects.exists()

    def test_nothing_else_is_taken(self, api: ApiClient, chosen: WidgetSettings, model: Model) -> None:
        body = {"fields": ["widget_greeting"], "locales": ["ru"], "force": True}
        assert set(api.post(REGENERATE, json=body).json()["errors"]) == {"force"}

    def test_refusals_come_in_order_and_free_the_key(self, api: ApiClient, chosen: WidgetSettings) -> None:
        chosen.stored = {**chosen.stored, "widget_auto_translate_custom_texts": False}
        chosen.save(update_fields=["stored"])
        assert_problem(ask(api, "ru"), 422, "widget_translation_disabled")
        chosen.stored = dict(STORED)
        chosen.save(update_fields=["stored"])
        assert_problem(ask(api, "ru", idempotency_key="k1"), 422, "widget_translation_credential_missing")
        assert not IdempotencyKey.objects.exists()
        with plugged_in() as model:
            model.answers = [RUSSIAN]
            assert ask(api, "ru", idempotency_key="k1").status_code == 202
            assert_problem(ask(api, "ru", idempotency_key="k1"), 409, "idempotency_key_reused")

    def test_42_an_hour_whole_or_not_at_all(self, api: ApiClient, chosen: WidgetSettings, model: Model) -> None:
        RESERVATIONS.spend(chosen.pk, 41)
        response = ask(api, "ru", "de", idempotency_key="k2")
        assert_problem(response, 429, "widget_translation_rate_limited")
        assert 3590 <= int(response["Retry-After"]) <= 3600
        assert not Translation.objects.exists()
        assert ask(api, "ru", idempotency_key="k2").json()["data"]["remaining"] == 0
        budget = api.get("/api/v1/widget/translations").json()["data"]["budget"]
        assert budget == {"limit": 42, "window_seconds": 3600, "used": 42, "remaining": 0}

    @pytest.mark.parametrize(
        ("table", "code"),
        [
            ("widget_translation", "widget_translation_store_unavailable"),
            ("core_spending", "widget_translation_budget_unavailable"),
        ],
    )
    def test_a_missing_table_is_503(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, table: str, code: str
    ) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {table} RENAME TO away")
        assert_problem(ask(api, "ru"), 503, code)
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE away RENAME TO {table}")
        assert not Translation.objects.exists()
        assert not IdempotencyKey.objects.exists()


class TestWithoutTheTable:
    def test_everything_else_goes_on(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, visitor: VisitorClient
    ) -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE widget_translation RENAME TO away")
        status = api.get("/api/v1/widget/settings").json()["data"]["widget_translation_status"]
        assert (status["available"], status["reason"], status["total"]) == (False, "schema_unavailable", 0)
        assert status["counts"] == {"ready": 0, "stale": 0, "pending": 0, "failed": 0}
        assert api.get("/api/v1/widget/translations").status_code == 200
        assert api.patch("/api/v1/widget/settings", json={"widget_position": "left"}).status_code == 200
        data = visitor.get("config?lang=ru").json()["data"]
        assert data["widget_greeting"] == STORED["widget_greeting"]


class TestByItself:
    def test_a_change_asks_for_what_is_missing(self, api: ApiClient, shop: Widget, model: Model) -> None:
        assert api.patch("/api/v1/widget/settings", json=STORED).status_code == 200
        assert {row.locale for row in Translation.objects.all()} == {"ru", "de"}
        assert RESERVATIONS.remaining(shop.pk) == 42
        status = api.get("/api/v1/widget/settings").json()["data"]["widget_translation_status"]
        assert status["counts"]["pending"] == status["total"] == 2
        assert (status["available"], status["enabled"], status["reason"]) == (True, True, None)
        work()
        assert RESERVATIONS.remaining(shop.pk) == 40

    def test_a_job_waits_for_room_in_the_budget(self, api: ApiClient, shop: Widget, model: Model) -> None:
        RESERVATIONS.spend(shop.pk, 42)
        assert api.patch("/api/v1/widget/settings", json=STORED).status_code == 200
        work()
        assert not model.asked
        assert all(row.due_at > timezone.now() for row in Translation.objects.all() if row.due_at)
        assert cell(api, "ru")["state"] == "pending"

    def test_a_text_of_an_older_source_is_stale_and_asked_for_again(
        self, api: ApiClient, chosen: WidgetSettings, model: Model, visitor: VisitorClient
    ) -> None:
        ask(api, "ru")
        work()
        chosen.stored = {**chosen.stored, "widget_greeting": "Bye"}
        chosen.save(update_fields=["stored"])
        assert (cell(api, "ru")["state"], cell(api, "ru")["shown"]) == ("stale", "source")
        assert visitor.get("config?lang=ru").json()["data"]["widget_greeting"] == "Bye"
        model.answers = ["Пока"]
        ask_everywhere()
        work()
        assert cell(api, "ru")["state"] == "ready"

    def test_without_a_credential_nothing_is_asked_for(self, api: ApiClient, shop: Widget) -> None:
        assert api.patch("/api/v1/widget/settings", json=STORED).status_code == 200
        ask_everywhere()
        assert not Translation.objects.exists()

    def test_an_own_translation_is_not_asked_for(self, api: ApiClient, shop: Widget, model: Model) -> None:
        manual = {"ru": {"widget_greeting": "Своё"}}
        api.patch("/api/v1/widget/settings", json={**STORED, "widget_text_translations": manual})
        assert {row.locale for row in Translation.objects.all()} == {"de"}
        assert (cell(api, "ru")["state"], cell(api, "ru")["shown"]) == ("manual", "manual")


@pytest.mark.parametrize(
    ("source", "text", "field", "locale", "is_valid"),
    [
        ("Hello", "Привет", "widget_greeting", "ru", True),
        ("Hello", "Hello", "widget_greeting", "ru", False),
        ("Leaf", "Leaf", "widget_name", "ru", True),
        ("Hello", "", "widget_greeting", "de", False),
        ("Hello", None, "widget_greeting", "de", False),
        ("Hello", "Hallo <b>", "widget_greeting", "de", False),
        ("Hello <b>x</b>", "Hallo <b>x</b>", "widget_greeting", "de", True),
        ("Hello", "Hallo \u202e", "widget_greeting", "de", False),
        ("Hello", "Hallo\x07", "widget_greeting", "de", False),
        ("Hello", "Hallo https://evil.test", "widget_greeting", "de", False),
        ("Write to a@b.test", "Schreiben Sie c@b.test", "widget_greeting", "de", False),
        ("Hi {name}", "Hallo {Name}", "widget_greeting", "de", False),
        ("Hi", "H" * 47, "widget_greeting", "de", False),
        ("Hi", "H" * 46, "widget_greeting", "de", True),
        ("One line", "Zwei\nZeilen", "widget_signature", "de", False),
        ("24/7", "24/7", "widget_signature", "zh", True),
    ],
)
def test_what_a_translation_may_be(source: str, text: Any, field: str, locale: str, is_valid: bool) -> None:
    assert translations.is_valid(text, source=source, field=field, locale=locale) is is_valid

"""The widget's translation jobs with a real credential and a vendor on loopback: slot `chat_model` end to end."""

import json
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.ai.models import Usage
from apps.demo.servers.language_models import Vendor, chat
from apps.demo.servers.played import Says
from apps.leases import claims
from apps.widget.models import WidgetSettings
from apps.widget.tasks import QUEUE
from tests.client import ApiClient
from tests.factories.ai import CredentialFactory

GREETING = "Hello! See https://shop.test/tea"
GERMAN = "Guten Tag! Siehe https://shop.test/tea"


@pytest.fixture
def greeted(shop: Widget) -> WidgetSettings:
    stored = {
        "widget_greeting": GREETING,
        "widget_supported_languages": ["en", "de"],
        "widget_auto_translate_custom_texts": True,
    }
    return WidgetSettings.objects.create(widget=shop, stored=stored)


def regenerate(api: ApiClient) -> Any:
    body = {"fields": ["widget_greeting"], "locales": ["de"]}
    return api.post("/api/v1/widget/translations/regenerate", json=body)


def work() -> None:
    for lease in claims.claim(QUEUE, wanted=5, after=0):
        lease.run()


def state(api: ApiClient) -> tuple[str, str]:
    cells = api.get("/api/v1/widget/translations").json()["data"]["translations"]
    (found,) = [each for each in cells if (each["field"], each["locale"]) == ("widget_greeting", "de")]
    return found["state"], found["shown"]


def test_a_greeting_is_translated_by_the_widgets_own_model(
    api: ApiClient, shop: Widget, greeted: WidgetSettings, vendor: Vendor
) -> None:
    assert regenerate(api).json()["code"] == "widget_translation_credential_missing"
    url = f"{vendor.url}/v1"
    CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
    vendor.will_say(chat(json.dumps({"text": GERMAN})))
    assert regenerate(api).status_code == 202
    work()
    assert state(api) == ("ready", "ai")
    (asked,) = vendor.asked
    assert asked.headers["x-service-purpose"] == "translation"
    assert GREETING in asked.raw.decode()
    use = Usage.objects.get()
    assert (use.purpose, use.model, use.prompt_tokens, use.assistant_id) == ("translation", "m-1", 11, None)


def test_a_vendor_that_fails_leaves_the_job_waiting(
    api: ApiClient, shop: Widget, greeted: WidgetSettings, vendor: Vendor
) -> None:
    url = f"{vendor.url}/v1"
    CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
    vendor.will_say(Says({}, status=503))
    assert regenerate(api).status_code == 202
    work()
    assert state(api) == ("pending", "source")

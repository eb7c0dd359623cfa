"""The page that sets AI up step by step, and the examination: from nothing to an assistant that answers."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.ai.forms.start import VENDORS, KeyForm, vendor_of
from apps.ai.models import AiOperator, AiSettings, Assistant, Credential
from apps.demo.servers.language_models import Vendor, only_model
from apps.demo.servers.played import Says
from apps.kb.models import Crawler
from tests.ai.desk import Desk
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.factories.ai import AlertFactory, CredentialFactory, UsageFactory
from tests.factories.kb import RuleFactory, SourceFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


@pytest.fixture
def manager(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="manager"))


def start_of(widget: Widget) -> str:
    return f"/admin/ai/aisettings/{widget.pk}/start/"


def examination_of(widget: Widget) -> str:
    return f"/admin/ai/aisettings/{widget.pk}/examine/"


def current(browser: Client, widget: Widget) -> str:
    return str(browser.get(start_of(widget)).context["current"])


class TestSteps:
    def test_an_owner_comes_from_nothing_to_an_ai_that_is_on(self, owner: Client, shop: Widget, vendor: Vendor) -> None:
        page = start_of(shop)
        vendor.will_say(only_model())
        assert current(owner, shop) == "key"
        key = {"step": "key", "provider": "openai_compatible", "api_key": "sk-1", "base_url": f"{vendor.url}/v1"}
        assert owner.post(page, key).status_code == 302
        assert Credential.objects.for_widget(shop.pk).get().api_key == "sk-1"
        assert current(owner, shop) == "model"
        model = owner.get(page).context["form"].fields["model"].choices[0][0]
        assert owner.post(page, {"step": "model", "model": model}).status_code == 302
        assert Credential.objects.for_widget(shop.pk).get().model == model
        assert current(owner, shop) == "character"
        assert owner.post(page, {"step": "character", "name": "Ася", "character": "friendly"}).status_code == 302
        assistant = Assistant.objects.for_widget(shop.pk).get()
        assert (assistant.name, assistant.is_default, assistant.persona.startswith("Friendly")) == ("Ася", True, True)
        assert AiOperator.objects.for_widget(shop.pk).get(type="ai").ai_assistant_id == assistant.pk
        assert current(owner, shop) == "site"
        RuleFactory.create(source=SourceFactory.create(widget=shop), content="Тюльпаны по 90 рублей.")
        assert current(owner, shop) == "check"
        assert owner.post(page, {"step": "on"}).status_code == 302
        assert AiSettings.objects.for_widget(shop.pk).get().enabled
        assert current(owner, shop) == ""

    def test_models_that_embed_are_not_offered_as_the_one_that_answers(
        self, owner: Client, shop: Widget, vendor: Vendor
    ) -> None:
        names = ["text-embedding-3-small", "m-1", "bge-m3", "snowflake-arctic-instruct"]
        vendor.will_say({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})
        key = {"step": "key", "provider": "openai_compatible", "api_key": "sk-1", "base_url": f"{vendor.url}/v1"}
        owner.post(start_of(shop), key)
        offered = owner.get(start_of(shop)).context["form"].fields["model"].choices
        assert {name for name, _ in offered} == {"m-1", "snowflake-arctic-instruct"}
        credential = Credential.objects.for_widget(shop.pk).get()
        page = owner.post(f"/admin/ai/credential/{credential.pk}/choose-model/").context["models"]
        assert {model.id for model in page} == {"m-1", "snowflake-arctic-instruct"}

    @pytest.mark.parametrize(
        ("named", "address"),
        [
            ("yandex", "https://ai.api.cloud.yandex.net/v1"),
            ("deepseek", "https://api.deepseek.com/v1"),
            ("openrouter", "https://openrouter.ai/api/v1"),
        ],
    )
    def test_a_vendor_that_speaks_as_openai_brings_its_address(self, named: str, address: str) -> None:
        assert KeyForm.address_of({"provider": named, "base_url": " "}) == address
        form = KeyForm({"provider": named, "api_key": "sk-1", "base_url": ""}, looked_up=address)
        assert form.is_valid()
        assert (form.cleaned_data["provider"], form.cleaned_data["base_url"]) == ("openai_compatible", address)
        assert vendor_of("openai_compatible", address) == dict(VENDORS)[named]
        other = KeyForm({"provider": named, "api_key": "sk-1", "base_url": "https://own.example/v1"}, looked_up="x")
        assert other.is_valid()
        assert other.cleaned_data["base_url"] == "https://own.example/v1"

    def test_a_key_that_the_vendor_refuses_is_not_stored(self, owner: Client, shop: Widget, vendor: Vendor) -> None:
        vendor.answer = lambda _: Says({"error": {"message": "no"}}, status=401)
        key = {"step": "key", "provider": "openai_compatible", "api_key": "sk-1", "base_url": f"{vendor.url}/v1"}
        form = owner.post(start_of(shop), key, headers={"Accept-Language": "en"}).context["form"]
        (told,) = form.non_field_errors()
        assert told.startswith("The vendor refused the key.")
        assert told.endswith("Nothing is stored.")
        assert not Credential.objects.for_widget(shop.pk).exists()

    @pytest.mark.parametrize(
        ("sent", "field"),
        [
            ({"base_url": ""}, "base_url"),
            ({"base_url": "http://127.0.0.1:1/v1"}, "base_url"),
            ({"api_key": "ключ"}, "api_key"),
            ({"api_key": ""}, "api_key"),
        ],
    )
    def test_what_is_wrong_stands_beside_its_field(
        self, owner: Client, shop: Widget, sent: dict[str, str], field: str
    ) -> None:
        key = {"step": "key", "provider": "openai_compatible", "api_key": "sk-1", "base_url": "", **sent}
        form = owner.post(start_of(shop), key).context["form"]
        assert field in form.errors
        assert not Credential.objects.for_widget(shop.pk).exists()

    def test_a_template_of_the_marketplace_is_a_character(self, owner: Client, shop: Widget) -> None:
        sent = {"step": "character", "name": "Mia", "character": "template:online-store"}
        assert owner.post(start_of(shop), sent).status_code == 302
        assert "shop" in Assistant.objects.for_widget(shop.pk).get().persona
        assert AiOperator.objects.for_widget(shop.pk).get(type="ai").name == "Mia"

    def test_a_website_becomes_knowledge(self, owner: Client, shop: Widget, vendor: Vendor) -> None:
        CredentialFactory.create(widget=shop)
        assert owner.post(start_of(shop), {"step": "site", "url": f"http://{vendor.host}/"}).status_code == 302
        crawler = Crawler.objects.for_widget(shop.pk).get()
        assert (crawler.start_urls, crawler.max_pages) == ([f"http://{vendor.host}/"], 50)

    def test_a_website_that_is_none_is_told(self, owner: Client, shop: Widget) -> None:
        form = owner.post(start_of(shop), {"step": "site", "url": "http://10.0.0.1/"}).context["form"]
        assert "url" in form.errors
        assert not Crawler.objects.for_widget(shop.pk).exists()

    def test_a_manager_stores_no_key(self, manager: Client, shop: Widget, vendor: Vendor) -> None:
        key = {"step": "key", "provider": "openai_compatible", "api_key": "sk-1", "base_url": f"{vendor.url}/v1"}
        assert "api_key" not in manager.get(start_of(shop)).content.decode()
        manager.post(start_of(shop), key)
        assert not Credential.objects.for_widget(shop.pk).exists()

    def test_a_reader_and_the_rival_have_no_such_page(self, shop: Widget, rival: Rival, owner: Client) -> None:
        reader = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
        for page in (start_of(shop), examination_of(shop)):
            assert reader.get(page).status_code == 403
            assert page not in reader.get(f"/admin/ai/aisettings/{shop.pk}/change/").content.decode()
        for page in (start_of(rival.widget), examination_of(rival.widget)):
            assert (owner.get(page).status_code, owner.post(page, {"step": "on"}).status_code) == (404, 404)
        assert not AiSettings.objects.for_widget(rival.widget.pk).exists()


class TestPanel:
    """The page of the AI settings is the one place of the AI."""

    def test_it_shows_the_parts_and_todays_tokens(self, owner: Client, desk: Desk) -> None:
        shop = desk.widget
        UsageFactory.create(widget=shop, prompt_tokens=900, completion_tokens=100)
        AiSettings.objects.for_widget(shop.pk).update(daily_token_budget=5000)
        panel = owner.get(f"/admin/ai/aisettings/{shop.pk}/change/", headers={"Accept-Language": "en"}).context["panel"]
        assert (panel["usage"].value, panel["usage"].note) == ("1,000", "of 5,000 that a day may cost")
        assert ([bar.value for bar in panel["usage"].bars][-1], len(panel["usage"].bars)) == (1000, 14)
        assert [part.is_there for part in panel["parts"]][:3] == [True, True, True]

    def test_an_alert_leads_to_its_cure(self, owner: Client, shop: Widget) -> None:
        credential = CredentialFactory.create(widget=shop)
        cures: dict[Any, str] = {
            AlertFactory.create(
                widget=shop, code="credential_rejected", credential=credential
            ): f"/admin/ai/credential/{credential.pk}/change/",
            AlertFactory.create(widget=shop, code="budget_exhausted"): f"/admin/ai/aisettings/{shop.pk}/change/",
            AlertFactory.create(widget=shop, code="not_configured"): start_of(shop),
            AlertFactory.create(widget=shop, code="backup_used"): f"/admin/ai/aisettings/{shop.pk}/change/",
        }
        for alert, cure in cures.items():
            answer = owner.get(f"/admin/ai/alert/{alert.pk}/mend/")
            assert (answer.status_code, answer["Location"]) == (302, cure)
        shown = owner.get(f"/admin/ai/aisettings/{shop.pk}/change/").content.decode()
        assert f"/admin/ai/credential/{credential.pk}/change/" in shown

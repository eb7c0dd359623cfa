"""The page that sets AI up step by step, and the examination: from nothing to an assistant that answers."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.ai.actions.examination import prepare_examination
from apps.ai.models import (
    AiOperator,
    AiSettings,
    Assistant,
    Credential,
    EvaluationCase,
    EvaluationResult,
    EvaluationRun,
)
from apps.ai.rules.examination import MOST_QUESTIONS, PageExcerpt, as_question, read_questions, spread
from apps.demo.servers.language_models import Vendor, chat, only_model
from apps.demo.servers.played import Says
from apps.kb.models import Crawler
from tests.ai.desk import Desk
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.factories.ai import AlertFactory, AssistantFactory, CredentialFactory, UsageFactory
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


class TestExamination:
    def test_without_a_key_found_passages_are_shown_as_what_they_are(self, owner: Client, shop: Widget) -> None:
        source = SourceFactory.create(widget=shop)
        RuleFactory.create(source=source, title="Доставка", content="Доставка стоит 300 рублей.")
        rows = owner.get(examination_of(shop)).context["rows"]
        assert [(row["question"], row["answer"], row["is_known"]) for row in rows] == [("Доставка?", "", True)]
        assert rows[0]["passage"].content == "Доставка стоит 300 рублей."

    def test_a_model_makes_the_questions_and_answers_them(self, owner: Client, desk: Desk, vendor: Vendor) -> None:
        shop = desk.widget
        RuleFactory.create(source=SourceFactory.create(widget=shop), title="Цены", content="Тюльпаны по 90 рублей.")
        vendor.answer = lambda _: chat(json.dumps(["Сколько стоят тюльпаны?", "Сколько стоят тюльпаны?"]))
        assert owner.post(examination_of(shop)).status_code == 302
        assert [case.question for case in EvaluationCase.objects.for_widget(shop.pk)] == ["Сколько стоят тюльпаны?"]
        assert EvaluationRun.objects.for_widget(shop.pk).get().cases == 1

    def test_a_model_that_answers_no_list_leaves_the_headings(self, desk: Desk, vendor: Vendor) -> None:
        RuleFactory.create(source=SourceFactory.create(widget=desk.widget), title="Цены", content="По 90 рублей.")
        vendor.answer = lambda _: chat("Вот вопросы!")
        assistant = Assistant.objects.for_widget(desk.widget.pk).get()
        assert prepare_examination(assistant=assistant) == 1
        assert prepare_examination(assistant=assistant) == 0
        assert EvaluationCase.objects.for_widget(desk.widget.pk).get().question == "Цены?"

    def test_what_is_not_known_leads_to_a_rule(self, owner: Client, shop: Widget) -> None:
        assistant = AssistantFactory.create(widget=shop)
        run = EvaluationRun.objects.create(widget=shop, assistant=assistant, cases=1, state="finished")
        told = {"question": "Есть ли пионы?", "expects": "answer", "outcome": "refusal"}
        EvaluationResult.objects.create(run=run, case_id=1, verdict="wrong", change="new", **told)
        (row,) = owner.get(examination_of(shop)).context["rows"]
        assert (row["is_known"], row["question"]) == (False, "Есть ли пионы?")
        page = owner.get(row["rule"])
        assert (page.status_code, page.context["form"]["content"].value()) == (200, "Есть ли пионы?")


class TestQuestions:
    def test_pages_are_of_as_many_documents_as_there_are(self) -> None:
        pages = [PageExcerpt(document, f"{document}.{place}", "") for document in range(3) for place in range(9)]
        assert [page.title for page in spread(pages, 5)] == ["0.0", "1.0", "2.0", "0.1", "1.1"]
        assert len(spread(pages, MOST_QUESTIONS)) == 12

    @pytest.mark.parametrize(
        ("page", "question"),
        [
            (PageExcerpt(1, "Delivery", "It costs 3."), "Delivery?"),
            (PageExcerpt(1, "Delivery", "## In town\nIt costs 3."), "In town?"),
            (PageExcerpt(1, "", "It costs 3. More below."), "It costs 3?"),
            (PageExcerpt(1, "What does it cost?", "3."), "What does it cost?"),
        ],
    )
    def test_a_heading_becomes_a_question(self, page: PageExcerpt, question: str) -> None:
        assert as_question(page) == question

    @pytest.mark.parametrize(
        ("reply", "questions"),
        [
            ('["a?", "b?"]', ["a?", "b?"]),
            ('```json\n["a?", 3, "", "a?"]\n```', ["a?"]),
            ("[", []),
            ("no", []),
            ("[nonsense]", []),
            (json.dumps(["x" * 301]), []),
            (json.dumps([str(number) for number in range(20)]), [str(number) for number in range(12)]),
        ],
    )
    def test_a_models_reply_is_read_carefully(self, reply: str, questions: list[str]) -> None:
        assert read_questions(reply) == questions


class TestPanel:
    """The page of the AI settings is the one place of the AI."""

    def test_it_shows_the_parts_and_todays_tokens(self, owner: Client, desk: Desk) -> None:
        shop = desk.widget
        UsageFactory.create(widget=shop, prompt_tokens=900, completion_tokens=100)
        AiSettings.objects.for_widget(shop.pk).update(daily_token_budget=5000)
        panel = owner.get(f"/admin/ai/aisettings/{shop.pk}/change/", headers={"Accept-Language": "en"}).context["panel"]
        assert (panel["usage"].figure, panel["usage"].note) == ("1,000", "of 5,000 that a day may cost")
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

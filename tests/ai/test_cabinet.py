"""The AI in the cabinet: a clerk makes an assistant, a credential and an operator, and tries what it would say."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.actions.trials import given_up
from apps.ai.models import (
    AiOperator,
    AiSettings,
    Alert,
    Assistant,
    Credential,
    DetachedTest,
    Exchange,
    PersonaVersion,
    Trial,
)
from apps.ai.tasks import TRIAL_QUEUE, forget_old_exchanges
from apps.demo.servers.language_models import Vendor, chat, only_model
from apps.demo.servers.played import Says
from apps.leases import claims
from tests.ai.desk import Desk
from tests.cast import Rival, signed_in
from tests.factories import AiAgentFactory, StaffFactory
from tests.factories.ai import AlertFactory, AssistantFactory, CredentialFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
PAGES = "/admin/ai/"


@pytest.fixture
def clerk(shop: Widget) -> Client:
    """Somebody who owns the shop's account."""
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


def assistant_form(shop: Widget, **changes: Any) -> dict[str, Any]:
    return {
        "widget": shop.pk,
        "name": "Флора",
        "enabled": "on",
        "persona": "Ты Флора.",
        "system_prompt": "",
        "temperature": "0.4",
        "escalation_triggers": "возврат*\r\nжалоба\r\n",
        "greeting": "Здравствуйте!",
        "quick_phrases": "Цены?",
        "provider": "",
        "model": "",
        **changes,
    }


def test_an_assistant_is_made_and_changed(clerk: Client, shop: Widget) -> None:
    answer = clerk.post(f"{PAGES}assistant/add/", assistant_form(shop))
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assistant = Assistant.objects.get()
    assert (assistant.name, assistant.is_default, assistant.temperature) == ("Флора", True, 0.4)
    assert assistant.escalation_triggers == ["возврат*", "жалоба"]
    assert assistant.quick_phrases == ["Цены?"]
    form = assistant_form(shop, persona="Ты Роза.", is_default="on")
    assert clerk.post(f"{PAGES}assistant/{assistant.pk}/change/", form).status_code == 302
    versions = PersonaVersion.objects.order_by("version").values_list("version", "persona", "actor__kind")
    assert list(versions) == [(1, "Ты Флора.", "staff"), (2, "Ты Роза.", "staff")]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("name", ""),
        ("persona", "x" * 8_001),
        ("temperature", "2.5"),
        ("escalation_triggers", "a\na"),
        ("quick_phrases", "\n".join(map(str, range(11)))),
        ("provider", "nobody"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(clerk: Client, shop: Widget, member: str, value: str) -> None:
    page = clerk.post(f"{PAGES}assistant/add/", assistant_form(shop, **{member: value}))
    assert page.status_code == 200
    assert list(page.context["adminform"].form.errors) == [member]
    assert not Assistant.objects.exists()


def test_the_default_one_stays_so_and_one_that_is_run_is_not_deleted(clerk: Client, shop: Widget) -> None:
    assistant = AssistantFactory.create(widget=shop, is_default=True)
    AiAgentFactory.create(widget=shop, ai_assistant_id=assistant.pk, name="Ада")
    page = clerk.post(f"{PAGES}assistant/{assistant.pk}/change/", assistant_form(shop))
    assert list(page.context["adminform"].form.errors) == ["is_default"]
    answer = clerk.post(f"{PAGES}assistant/{assistant.pk}/delete/", {"post": "yes"}, follow=True)
    assert "Ада" in answer.content.decode()
    assert Assistant.objects.filter(pk=assistant.pk).exists()


def test_a_credential_is_stored_and_its_key_is_shown_nowhere(clerk: Client, shop: Widget, vendor: Vendor) -> None:
    key = "sk-typed-by-a-clerk"
    form = {"widget": shop.pk, "provider": "openai_compatible", "api_key": key, "model": "m-1", "is_active": "on"}
    page = clerk.post(f"{PAGES}credential/add/", {**form, "base_url": "https://127.0.0.1:1/v1"})
    assert list(page.context["adminform"].form.errors) == ["base_url"]
    assert key not in page.content.decode()
    page = clerk.post(f"{PAGES}credential/add/", {**form, "base_url": ""})
    assert list(page.context["adminform"].form.errors) == ["base_url"]
    assert not Credential.objects.exists()
    answer = clerk.post(f"{PAGES}credential/add/", {**form, "base_url": f"{vendor.url}/v1"})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    credential = Credential.objects.get()
    assert (credential.api_key, credential.target, credential.is_active) == (key, f"{vendor.url}/v1", True)
    for address in (f"{PAGES}credential/", f"{PAGES}credential/{credential.pk}/change/"):
        assert key not in clerk.get(address).content.decode()
    change = {"api_key": "", "base_url": f"{vendor.url}/v1", "model": "m-2"}
    assert clerk.post(f"{PAGES}credential/{credential.pk}/change/", change).status_code == 302
    credential.refresh_from_db()
    assert (credential.api_key, credential.model, credential.is_active) == (key, "m-2", False)


def test_an_operator_runs_an_assistant_of_its_widget(clerk: Client, shop: Widget, rival: Rival) -> None:
    assistant, foreign = AssistantFactory.create(widget=shop), AssistantFactory.create(widget=rival.widget)
    form = {"widget": shop.pk, "name": "Ада", "status": "active", "show_in_header": "on"}
    page = clerk.post(f"{PAGES}aioperator/add/", {**form, "assistant": foreign.pk})
    assert list(page.context["adminform"].form.errors) == ["assistant"]
    answer = clerk.post(f"{PAGES}aioperator/add/", {**form, "assistant": assistant.pk})
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    operator = AiOperator.objects.get(name="Ада")
    assert (operator.type, operator.ai_assistant_id, operator.status) == ("ai", assistant.pk, "active")
    change = {"name": "Ада", "status": "relaxation", "assistant": assistant.pk}
    assert clerk.post(f"{PAGES}aioperator/{operator.pk}/change/", change).status_code == 302
    operator.refresh_from_db()
    assert (operator.status, operator.show_in_header) == ("relaxation", False)


def test_the_switches_are_set(clerk: Client, shop: Widget) -> None:
    AiSettings.objects.create(widget=shop)
    form = {
        "enabled": "on",
        "takeover_timeout_sec": "60",
        "offline_outcome_mode": "answer_only",
        "evaluation_gate": "off",
        "minutes_per_reply": "3",
        "daily_token_budget": "100000",
        "legacy_persona": "",
    }
    assert clerk.post(f"{PAGES}aisettings/{shop.pk}/change/", form).status_code == 302
    settings = AiSettings.objects.get()
    assert (settings.enabled, settings.takeover_timeout_sec, settings.rag_enabled) == (True, 60, False)
    assert (settings.offline_outcome_mode, settings.evaluation_gate, settings.minutes_per_reply) == (
        "answer_only",
        "off",
        3,
    )
    assert settings.daily_token_budget == 100_000


def worked() -> None:
    """A worker asks what is due."""
    for lease in claims.claim(TRIAL_QUEUE, wanted=4):
        lease.run()


class TestTryIt:
    @pytest.fixture
    def assistant(self, shop: Widget, vendor: Vendor) -> Assistant:
        url = f"{vendor.url}/v1"
        CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
        return AssistantFactory.create(widget=shop, persona="Роза: 90 рублей.")

    def test_shows_the_answer_and_what_it_took(self, clerk: Client, assistant: Assistant, vendor: Vendor) -> None:
        vendor.will_say(chat("По 90 рублей."))
        address = f"{PAGES}assistant/{assistant.pk}/try/"
        assert clerk.get(address).status_code == 200
        assert vendor.asked == []
        asked = clerk.post(address, {"question": "Сколько стоят розы?", "operators": "offline"})
        trial = Trial.objects.get()
        assert asked["Location"] == f"{address}?trial={trial.pk}"
        waiting = clerk.get(asked["Location"])
        assert waiting["Refresh"] == "3"
        assert "45" in waiting.content.decode()
        assert vendor.asked == []
        worked()
        page = clerk.get(asked["Location"])
        assert "Refresh" not in page
        for part in ("По 90 рублей.", "m-1", "reply", "11", "7"):
            assert part in page.content.decode()

    def test_may_take_as_long_as_a_reply_and_says_what_was_left_out(
        self, clerk: Client, assistant: Assistant, vendor: Vendor
    ) -> None:
        Credential.objects.update(timeout_s=90)
        refusal = {"error": {"message": "temperature is not supported", "param": "temperature"}}
        Assistant.objects.update(temperature=0.4)
        vendor.will_say(Says(refusal, status=400), chat("По 90 рублей."))
        address = f"{PAGES}assistant/{assistant.pk}/try/"
        asked = clerk.post(address, {"question": "Сколько стоят розы?"})
        assert Trial.objects.get().most_s == 180
        worked()
        page = clerk.get(asked["Location"]).content.decode()
        assert "По 90 рублей." in page
        assert "left out" in page

    def test_waits_for_another_test_of_the_widget(self, clerk: Client, assistant: Assistant, vendor: Vendor) -> None:
        vendor.will_say(chat("По 90 рублей."))
        DetachedTest.objects.create(widget=assistant.widget, lease_until=timezone.now() + timedelta(seconds=30))
        clerk.post(f"{PAGES}assistant/{assistant.pk}/try/", {"question": "Да?"})
        worked()
        trial = Trial.objects.get()
        assert (trial.ended_at, vendor.asked) == (None, [])
        assert trial.due_at is not None
        DetachedTest.objects.all().delete()
        Trial.objects.update(due_at=timezone.now())
        worked()
        trial.refresh_from_db()
        assert trial.result["answer"] == "По 90 рублей."

    def test_a_question_of_a_lost_worker_is_not_waited_for(self, clerk: Client, assistant: Assistant) -> None:
        asked = clerk.post(f"{PAGES}assistant/{assistant.pk}/try/", {"question": "Да?"})
        (lease,) = claims.claim(TRIAL_QUEUE, wanted=1)
        given_up(lease, "crashed")
        assert "Ask again" in clerk.get(asked["Location"]).content.decode()

    def test_says_why_there_is_none(self, clerk: Client, assistant: Assistant, vendor: Vendor) -> None:
        vendor.will_say(Says({"error": {"message": "their words"}}, status=401))
        asked = clerk.post(f"{PAGES}assistant/{assistant.pk}/try/", {"question": "Да?"})
        worked()
        page = clerk.get(asked["Location"]).content.decode()
        assert "rejected_key" in page
        assert "their words" not in page

    def test_is_not_for_viewers_nor_others(
        self, shop: Widget, assistant: Assistant, vendor: Vendor, rival: Rival
    ) -> None:
        viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
        stranger = signed_in(StaffFactory.create(account=rival.widget.account, role="owner"))
        address = f"{PAGES}assistant/{assistant.pk}/try/"
        assert viewer.post(address, {"question": "Да?"}).status_code == 403
        assert stranger.post(address, {"question": "Да?"}).status_code == 404
        assert vendor.asked == []


def test_an_alert_is_on_the_front_page_until_it_is_acknowledged(clerk: Client, shop: Widget) -> None:
    alert = AlertFactory.create(widget=shop)
    address = f"{PAGES}alert/{alert.pk}/acknowledge/"
    before = snapshot()
    assert clerk.get(address).status_code == 200
    assert snapshot()["ai.Alert"] == before["ai.Alert"]
    assert clerk.post(address).status_code == 302
    assert not Alert.objects.open().exists()
    viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    other = AlertFactory.create(widget=shop, code="reply_failed")
    assert viewer.post(f"{PAGES}alert/{other.pk}/acknowledge/").status_code == 403
    assert Alert.objects.open().count() == 1


def test_exchanges_are_read_redacted_and_those_of_others_are_not(desk: Desk, rival: Rival) -> None:
    desk.answers("Моя почта ivan@mail.test. Сколько стоят розы?")
    clerk = signed_in(StaffFactory.create(account=desk.widget.account, role="viewer"))
    page = clerk.get(f"{PAGES}exchange/").content.decode()
    assert "Моя почта [EMAIL_1]. Сколько стоят розы?" in page
    assert "ivan@mail.test" not in page
    one = clerk.get(f"{PAGES}exchange/{desk.exchange.pk}/change/")
    assert one.status_code == 200
    assert "По 90 рублей." in one.content.decode()
    assert clerk.get(f"{PAGES}usage/").status_code == 200
    stranger = signed_in(StaffFactory.create(account=rival.account, role="owner"))
    assert stranger.get(f"{PAGES}exchange/{desk.exchange.pk}/change/").status_code == 404


def test_exchanges_are_kept_180_days(desk: Desk) -> None:
    desk.answers()
    desk.answers("А тюльпаны?")
    old = Exchange.objects.order_by("id")[0]
    Exchange.objects.filter(pk=old.pk).update(at=timezone.now() - timedelta(days=181))
    forget_old_exchanges()
    assert list(Exchange.objects.values_list("pk", flat=True)) == [desk.exchange.pk]


def test_the_model_is_chosen_from_the_servers_list(clerk: Client, shop: Widget, vendor: Vendor) -> None:
    vendor.will_say(only_model())
    form = {"widget": shop.pk, "provider": "openai_compatible", "api_key": "sk-0123456789", "is_active": "on"}
    made = clerk.post(f"{PAGES}credential/add/", {**form, "base_url": f"{vendor.url}/v1", "timeout_s": "120"})
    credential = Credential.objects.get()
    assert (credential.timeout_s, credential.for_answers, credential.for_knowledge) == (120, True, True)
    assert made["Location"].endswith(f"/{credential.pk}/choose-model/")
    asked = len(vendor.asked)
    before = snapshot()
    assert 'value="m-1"' not in clerk.get(made["Location"]).content.decode()
    assert (len(vendor.asked), snapshot()) == (asked, before), "a GET asks nobody"
    assert 'value="m-1"' in clerk.post(made["Location"]).content.decode()
    assert clerk.post(made["Location"], {"model": "m-1"}).status_code == 302
    credential.refresh_from_db()
    assert credential.model == "m-1"
    change = {"base_url": credential.base_url, "is_active": "on", "for_answers": "on", "model": ""}
    page = clerk.post(f"{PAGES}credential/{credential.pk}/change/", change)
    assert "choose one from its list" in page.content.decode()
    change |= {"model": "m-1", "timeout_s": "301"}
    assert "5 to 300." in clerk.post(f"{PAGES}credential/{credential.pk}/change/", change).content.decode()

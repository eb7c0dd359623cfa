"""The cabinet's pages of automations: sentences, an editor of rows, the trial and the switch, runs, macros."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import AuditEntry, Widget
from apps.agents.models import Agent, Department
from apps.automations.models import Automation, AutomationRun, Macro
from apps.chats.models import Chat
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.factories.automations import AutomationFactory, AutomationRunFactory, MacroFactory

pytestmark = pytest.mark.django_db

LIST, ADD = "/admin/automations/automation/", "/admin/automations/automation/add/"
MACROS = "/admin/automations/macro/"
RUNS = "/admin/automations/automationrun/"
WAITS = {"when": "visitor_waits", "minutes": "10", "clock": "always", "joined": "all"}
URGENT = {"then_0_do": "priority", "then_0_choice": "priority:urgent"}


def page_of(row: Any) -> str:
    return f"/admin/automations/{row._meta.model_name}/{row.pk}/change/"


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.fixture
def viewer(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="viewer"))


class TestTheEditor:
    def test_rows_become_an_automation_that_is_off_and_told_as_a_sentence(
        self, cabinet: Client, shop: Widget, sales: Department
    ) -> None:
        form = WAITS | {
            "if_0_field": "department_id",
            "if_0_op": "is",
            "if_0_choice": f"department_id:{sales.pk}",
            "if_1_field": "is_open",
            "if_1_op": "is",
            "if_1_choice": "is_open:true",
            "if_2_field": "",
            **URGENT,
            "then_3_do": "notify",
            "then_3_choice": "whom:managers",
            "then_3_by": "console",
            "then_3_text": "A visitor waits.",
        }
        assert cabinet.post(ADD, form).status_code == 302
        made = Automation.objects.for_widget(shop.pk).get()
        assert (made.when, made.is_enabled) == ({"wait": "visitor_waits", "minutes": 10, "clock": "always"}, False)
        assert made.condition == {
            "all": [
                {"field": "department_id", "op": "is", "value": sales.pk},
                {"field": "is_open", "op": "is", "value": True},
            ]
        }
        assert made.then == [
            {"do": "priority", "value": "urgent"},
            {"do": "notify", "whom": "managers", "by": ["console"], "text": "A visitor waits."},
        ]
        told = f"When a visitor waits 10 minutes and the department is {sales.name} and it is within open hours:"
        assert f"{told} urgent, tell the managers" in text_of(cabinet.get(LIST))
        assert AuditEntry.objects.filter(account_id=shop.account_id, object_pk=str(made.pk)).exists()

    def test_the_same_in_russian(self, shop: Widget, sales: Department) -> None:
        AutomationFactory.create(
            widget=shop,
            when={"wait": "visitor_waits", "minutes": 2, "clock": "open"},
            condition={"field": "department_id", "op": "is", "value": sales.pk},
        )
        owner = signed_in(StaffFactory.create(account=shop.account, role="owner", language="ru"))
        told = f"Когда посетитель ждёт 2 минуты в рабочие часы и отдел — {sales.name}: срочно"
        assert told in text_of(owner.get(LIST))

    @pytest.mark.parametrize("name", ["unanswered", "silent", "low_rating", "outside_hours"])
    def test_a_starter_is_saved_as_it_stands(self, cabinet: Client, shop: Widget, name: str) -> None:
        shown = cabinet.get(f"{ADD}?from={name}").content.decode()
        assert cabinet.post(ADD, sent_by(shown)).status_code == 302
        assert Automation.objects.for_widget(shop.pk).count() == 1

    def test_the_refund_asks_which_department(self, cabinet: Client, shop: Widget, sales: Department) -> None:
        form = sent_by(cabinet.get(f"{ADD}?from=refund").content.decode())
        answer = cabinet.post(ADD, form)
        assert "Choose a value." in text_of(answer)
        assert not Automation.objects.for_widget(shop.pk).exists()
        assert cabinet.post(ADD, form | {"then_1_choice": f"department_id:{sales.pk}"}).status_code == 302
        assert Automation.objects.for_widget(shop.pk).get().then[1] == {"do": "send_to", "department_id": sales.pk}

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            ({"when": "full.moon"}, "Choose when it acts."),
            ({"minutes": "soon"}, "Say after how many minutes."),
            ({"minutes": "43201"}, "The number is too small or too large."),
            ({"if_0_field": "rating", "if_0_op": "lte", "if_0_value": "low"}, "Say a number."),
            ({"if_0_field": "department_id", "if_0_op": "is", "if_0_choice": "priority:urgent"}, "Choose a value."),
            ({"if_0_field": "shoe_size", "if_0_op": "is", "if_0_value": "44"}, "Choose one of these fields."),
            ({"then_0_do": "dance"}, "Choose one of these acts."),
            ({"then_0_do": ""}, "Choose at least one act."),
            ({"then_0_do": "reply", "then_0_text": "Dear {visitor.name}"}, "A variable in braces needs words"),
            ({"tree": "{"}, "The conditions are no JSON."),
            ({"tree": '{"all": []}'}, ""),
        ],
    )
    def test_a_form_that_is_wrong_stores_nothing(
        self, cabinet: Client, shop: Widget, wrong: dict[str, str], said: str
    ) -> None:
        answer = cabinet.post(ADD, WAITS | URGENT | wrong)
        assert answer.status_code == 200
        assert said in text_of(answer)
        assert 'role="alert"' in answer.content.decode()
        assert not Automation.objects.for_widget(shop.pk).exists()

    def test_a_foreign_department_is_refused_at_its_row(self, cabinet: Client, shop: Widget, rival: Rival) -> None:
        foreign = {"then_0_do": "send_to", "then_0_choice": f"department_id:{rival.department.pk}"}
        assert "It is gone: choose another one." in text_of(cabinet.post(ADD, WAITS | foreign))
        assert not Automation.objects.for_widget(shop.pk).exists()

    def test_a_deeper_condition_is_a_sentence_and_json(self, cabinet: Client, shop: Widget) -> None:
        tree = {"all": [{"not": {"field": "is_open", "op": "is", "value": True}}]}
        automation = AutomationFactory.create(widget=shop, condition=tree)
        shown = cabinet.get(page_of(automation))
        assert "Not (it is within open hours)" in text_of(shown)
        form = sent_by(shown.content.decode())
        assert json.loads(form["tree"]) == tree
        assert cabinet.post(page_of(automation), form).status_code == 302
        automation.refresh_from_db()
        assert (automation.condition, automation.version, automation.is_enabled) == (tree, 1, True)

    def test_what_no_field_shows_stays(self, cabinet: Client, shop: Widget) -> None:
        then = [{"do": "note", "text": "Hello", "texts": {"ru": "Привет"}}]
        automation = AutomationFactory.create(widget=shop, then=then)
        form = sent_by(cabinet.get(page_of(automation)).content.decode())
        assert cabinet.post(page_of(automation), form | {"then_0_text": "Hi"}).status_code == 302
        automation.refresh_from_db()
        assert automation.then == [{"do": "note", "text": "Hi", "texts": {"ru": "Привет"}}]
        assert (automation.version, automation.is_enabled) == (2, False)


class TestTheSwitch:
    def test_untried_it_is_refused_in_words(self, cabinet: Client, shop: Widget) -> None:
        automation = AutomationFactory.create(widget=shop, is_enabled=False, tried_version=None)
        answer = cabinet.post(page_of(automation), {"does": "on"})
        assert (answer.status_code, "alert" in answer.content.decode()) == (200, True)
        automation.refresh_from_db()
        assert not automation.is_enabled

    def test_a_trial_names_the_chats_and_opens_the_switch(self, cabinet: Client, shop: Widget, chat: Chat) -> None:
        automation = AutomationFactory.create(widget=shop, is_enabled=False, tried_version=None)
        answer = cabinet.post(page_of(automation), {"does": "try"})
        assert "Tried on the last 30 days:" in text_of(answer)
        assert cabinet.post(page_of(automation), {"does": "on"}).status_code == 302
        automation.refresh_from_db()
        assert automation.is_enabled
        assert cabinet.post(page_of(automation), {"does": "off"}).status_code == 302
        automation.refresh_from_db()
        assert not automation.is_enabled


class TestTheList:
    def test_a_rule_changes_places(self, cabinet: Client, shop: Widget) -> None:
        first, second = (AutomationFactory.create(widget=shop) for _ in range(2))
        assert cabinet.get(f"{LIST}{second.pk}/up/").status_code == 302
        assert list(Automation.objects.for_widget(shop.pk).in_order()) == [first, second]
        cabinet.post(f"{LIST}{second.pk}/up/")
        assert list(Automation.objects.for_widget(shop.pk).in_order()) == [second, first]
        cabinet.post(f"{LIST}{second.pk}/up/")
        cabinet.post(f"{LIST}{first.pk}/up/")
        assert list(Automation.objects.for_widget(shop.pk).in_order()) == [first, second]

    def test_what_is_gone_is_told(self, cabinet: Client, shop: Widget) -> None:
        gone = [{"do": "send_to", "department_id": 999}]
        row = AutomationFactory.create(widget=shop, then=gone, problem={"path": "then.0.department_id", "code": "gone"})
        for address in (LIST, page_of(row)):
            told = text_of(cabinet.get(address))
            assert "send to a deleted department" in told
            assert "A department or an operator is gone, in what it does." in told

    def test_a_viewer_reads_and_changes_nothing(self, viewer: Client, shop: Widget) -> None:
        automation, macro = AutomationFactory.create(widget=shop), MacroFactory.create(widget=shop)
        run = AutomationRunFactory.create(automation=automation, widget=shop, chat__contact__widget=shop)
        for row in (automation, macro, run):
            shown = viewer.get(page_of(row))
            assert shown.status_code == 200
            assert not re.search('name="(?:when|then_0_do|does)"|button-primary', shown.content.decode())
        assert "formaction" not in viewer.get(LIST).content.decode()
        for address, form in (
            (page_of(automation), {"does": "off"}),
            (page_of(automation), {"does": "try"}),
            (page_of(automation), WAITS | URGENT),
            (f"{LIST}{automation.pk}/up/", {}),
            (f"{LIST}{automation.pk}/undo/", {"since": "2026-01-01T00:00"}),
            (ADD, WAITS | URGENT),
            (page_of(macro), {"name": "Mine", **URGENT}),
            (f"{RUNS}{run.pk}/undo/", {}),
        ):
            assert viewer.post(address, form).status_code == 403, address
        automation.refresh_from_db()
        assert (automation.is_enabled, Automation.objects.count(), Macro.objects.get().name) == (True, 1, macro.name)
        assert AutomationRun.objects.get().undone_at is None

    def test_another_accounts_are_not_there(self, cabinet: Client, rival: Rival) -> None:
        automation, macro = AutomationFactory.create(widget=rival.widget), MacroFactory.create(widget=rival.widget)
        for address in (page_of(automation), page_of(macro), f"{LIST}{automation.pk}/up/"):
            assert cabinet.post(address, {"does": "off"}).status_code == 404
        assert automation.name not in text_of(cabinet.get(LIST))


class TestRuns:
    def test_a_run_says_why_and_what_and_is_undone_once(self, cabinet: Client, shop: Widget, chat: Chat) -> None:
        why = [{"field": "rating", "op": "lte", "value": 2, "was": 1, "held": True}]
        did = [{"do": "reply", "result": "skipped", "why": "already_answered"}]
        run = AutomationRunFactory.create(
            chat=chat, automation__widget=shop, trigger={"event": "chat.rated"}, why=why, did=did, state="partly"
        )
        told = text_of(cabinet.get(page_of(run)))
        assert "When a visitor rates a chat" in told
        assert "The rating is at most 2 (it was 1)" in told
        assert "Reply to the visitor: skipped (somebody has answered already)" in told
        assert str(chat.pk) in text_of(cabinet.get(RUNS))
        cabinet.get(f"{RUNS}{run.pk}/undo/")
        assert AutomationRun.objects.get(pk=run.pk).undone_at is None
        cabinet.post(f"{RUNS}{run.pk}/undo/")
        assert AutomationRun.objects.get(pk=run.pk).undone_at is not None

    def test_all_since_a_moment_are_undone(self, cabinet: Client, shop: Widget, chat: Chat) -> None:
        automation = AutomationFactory.create(widget=shop)
        AutomationRunFactory.create(chat=chat, automation=automation)
        since = timezone.localtime() - timedelta(hours=1)
        answer = cabinet.post(f"{LIST}{automation.pk}/undo/", {"since": since.strftime("%Y-%m-%dT%H:%M")}, follow=True)
        assert "1 run is undone." in text_of(answer)
        later = timezone.localtime() + timedelta(days=1)
        answer = cabinet.post(f"{LIST}{automation.pk}/undo/", {"since": later.strftime("%Y-%m-%dT%H:%M")})
        assert "This moment is still to come." in text_of(answer)


class TestMacros:
    def test_it_is_written_changed_and_deleted(self, cabinet: Client, shop: Widget, alice: Agent) -> None:
        MacroFactory.create(widget=shop, agent=alice, name="Alice's own")
        form = {
            "name": "Refund",
            "key": "3",
            "then_0_do": "reply",
            "then_0_text": "Your order {input.order} is refunded.",
            "then_1_do": "close",
            "input_key": ["order", ""],
            "input_label": ["Number of the order", ""],
            "input_needed": ["yes", "yes"],
        }
        assert cabinet.post(f"{MACROS}add/", form).status_code == 302
        macro = Macro.objects.for_widget(shop.pk).get(agent=None)
        assert (macro.name, macro.key) == ("Refund", 3)
        assert macro.inputs == [{"key": "order", "label": "Number of the order", "is_required": True}]
        listed = text_of(cabinet.get(MACROS))
        assert "Reply “Your order {input.order} is refunded.”, close the chat" in listed
        assert ("Alt+3" in listed, "Alice's own" in listed) == (True, False)
        shown = cabinet.get(page_of(macro)).content.decode()
        assert cabinet.post(page_of(macro), form | {"key": "", "name": "Back"}).status_code == 302
        macro.refresh_from_db()
        assert (macro.name, macro.key, "Number of the order" in shown) == ("Back", None, True)
        cabinet.post(f"{MACROS}{macro.pk}/delete/", {"post": "yes"})
        assert not Macro.objects.for_widget(shop.pk).filter(agent=None).exists()

    def test_an_unknown_question_and_a_missing_name_store_nothing(self, cabinet: Client, shop: Widget) -> None:
        form = {"name": "Refund", "then_0_do": "reply", "then_0_text": "Order {input.order}"}
        assert "There is no such variable in braces." in text_of(cabinet.post(f"{MACROS}add/", form))
        assert "Say a name." in text_of(cabinet.post(f"{MACROS}add/", form | {"name": ""}))
        assert not Macro.objects.for_widget(shop.pk).exists()


def sent_by(page: str) -> dict[str, Any]:
    """What a browser without scripts sends of the page's form."""
    form = page[page.index("data-rules=") :]
    form = form[: form.index("</form>")]
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        values = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if values.get("type") in ("radio", "checkbox") and not re.search(r"\bchecked\b", tag):
            continue
        if "name" in values:
            sent[values["name"]] = _plain(values.get("value", "on"))
    for name, text in re.findall(r'<textarea[^>]*name="(\w+)"[^>]*>(.*?)</textarea>', form, re.DOTALL):
        sent[name] = _plain(text)
    for name, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.findall(r'<option value="([^"]*)" selected', options)
        sent[name] = [_plain(value) for value in chosen] or _plain(re.findall(r'<option value="([^"]*)"', options)[0])
    return sent


def _plain(text: str) -> str:
    for code, sign in (("&quot;", '"'), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(code, sign)
    return text.removeprefix("\n")

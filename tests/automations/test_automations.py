"""Automations are made, changed, tried before they act, ordered, copied and deleted; a refusal changes nothing."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import AuditEntry, Widget
from apps.agents.actions.agents import remove_agent, restore_agent
from apps.agents.actions.departments import delete_department
from apps.agents.models import Agent, Department
from apps.automations.actions.automations import (
    change_automation,
    copy_automation,
    create_automation,
    delete_automation,
    order_automations,
)
from apps.automations.models import Automation, AutomationRun, AutomationVersion
from apps.automations.querysets.ready import ready_automations
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.problems import Problem
from tests.cast import Rival
from tests.factories.automations import AutomationFactory, AutomationRunFactory

pytestmark = pytest.mark.django_db

VALUES = {
    "name": "Refunds",
    "when": {"event": "visitor.wrote"},
    "if": {"field": "text", "op": "has_word", "value": "refund"},
    "then": [{"do": "priority", "value": "urgent"}],
}


def create(shop: Widget, **values: Any) -> Automation:
    return create_automation(widget_id=shop.pk, values={**VALUES, **values})


def change(automation: Automation, **changes: Any) -> Automation:
    return change_automation(widget_id=automation.widget_id, automation_id=automation.pk, changes=changes)


def tried(automation: Automation) -> None:
    Automation.objects.filter(pk=automation.pk).update(tried_version=automation.version, tried_at=timezone.now())


def refused(problem: pytest.ExceptionInfo[Problem]) -> set[str]:
    return set(problem.value.errors or {})


class TestCreated:
    def test_it_is_off_behind_the_others_and_in_its_first_version(self, shop: Widget) -> None:
        first, second = create(shop), create(shop, stop=True)
        assert (first.position, second.position) == (0, 1)
        assert (second.is_enabled, second.version, second.stop, second.tried_version) == (False, 1, True, None)
        version = AutomationVersion.objects.get(automation=second)
        assert (version.version, version.when, version.condition) == (1, VALUES["when"], VALUES["if"])
        assert (version.then, version.stop) == (VALUES["then"], True)

    def test_a_wait_has_its_clock(self, shop: Widget) -> None:
        automation = create(shop, when={"wait": "visitor_waits", "minutes": 10})
        assert automation.when == {"wait": "visitor_waits", "minutes": 10, "clock": "open"}

    def test_each_member_is_refused_by_its_path_and_nothing_is_stored(self, shop: Widget, rival: Rival) -> None:
        theirs = Department.objects.create(widget=rival.widget, name="Theirs")
        with pytest.raises(Problem) as problem:
            create(
                shop,
                name=" ",
                when={"event": "x"},
                stop="yes",
                **{"if": {"field": "department_id", "op": "is", "value": theirs.pk}},
                then=[{"do": "send_to", "department_id": theirs.pk}, {"do": "x"}],
            )
        assert problem.value.type is INVALID_INPUT
        assert refused(problem) == {"name", "when.event", "stop", "if.value", "then.0.department_id", "then.1.do"}
        assert not Automation.objects.exists()

    @pytest.mark.parametrize("name", ["name", "when", "then"])
    def test_what_is_required_is_asked_for(self, shop: Widget, name: str) -> None:
        with pytest.raises(Problem) as problem:
            create_automation(widget_id=shop.pk, values={key: value for key, value in VALUES.items() if key != name})
        assert refused(problem) == {name}

    def test_a_hundred_are_enough(self, shop: Widget) -> None:
        AutomationFactory.create_batch(100, widget=shop)
        with pytest.raises(Problem) as problem:
            create(shop)
        assert (problem.value.type.code, Automation.objects.count()) == ("automation_limit", 100)

    def test_it_is_not_switched_on_at_once(self, shop: Widget) -> None:
        with pytest.raises(Problem) as problem:
            create(shop, is_enabled=True)
        assert (problem.value.type.code, Automation.objects.count()) == ("automation_not_tried", 0)

    @pytest.mark.parametrize("kind", ["ai", "webhook"])
    def test_a_chat_is_given_to_people_alone(self, shop: Widget, kind: str) -> None:
        machine = Agent.objects.create(widget=shop, type=kind, name="Machine")
        with pytest.raises(Problem) as problem:
            create(shop, then=[{"do": "assign", "agent_id": machine.pk}])
        assert refused(problem) == {"then.0.agent_id"}


class TestChanged:
    @pytest.mark.parametrize(
        "changes",
        [
            {"when": {"event": "chat.started"}},
            {"if": None},
            {"then": [{"do": "unassign"}]},
            {"stop": True},
        ],
        ids=["when", "if", "then", "stop"],
    )
    def test_another_definition_is_a_new_version_switched_off(self, shop: Widget, changes: dict[str, Any]) -> None:
        automation = create(shop)
        tried(automation)
        assert change(automation, is_enabled=True).enabled_at is not None
        after = change(automation, **changes)
        assert (after.version, after.is_enabled, after.enabled_at, after.tried_version) == (2, False, None, 1)
        assert list(AutomationVersion.objects.order_by("version").values_list("version", flat=True)) == [1, 2]
        with pytest.raises(Problem) as problem:
            change(automation, is_enabled=True)
        assert problem.value.type.code == "automation_not_tried"

    def test_the_same_definition_or_a_name_stays_on(self, shop: Widget) -> None:
        automation = create(shop)
        tried(automation)
        change(automation, is_enabled=True)
        after = change(automation, name="Money back", **{"if": VALUES["if"]})
        assert (after.version, after.is_enabled, after.name) == (1, True, "Money back")
        assert AutomationVersion.objects.count() == 1

    def test_true_is_another_value_than_one(self, shop: Widget) -> None:
        automation = create(shop, then=[{"do": "attribute", "key": "vip", "value": 1}])
        after = change(automation, then=[{"do": "attribute", "key": "vip", "value": True}])
        assert (after.version, after.then[0]["value"]) == (2, True)

    def test_it_is_switched_off_and_on_again_from_then(self, shop: Widget) -> None:
        automation = create(shop)
        tried(automation)
        first = change(automation, is_enabled=True).enabled_at
        assert change(automation, is_enabled=True).enabled_at == first
        assert change(automation, is_enabled=False).enabled_at is None
        again = change(automation, is_enabled=True).enabled_at
        assert first is not None
        assert again is not None
        assert again > first

    def test_a_change_with_its_switch_is_not_tried_yet(self, shop: Widget) -> None:
        automation = create(shop)
        tried(automation)
        with pytest.raises(Problem):
            change(automation, stop=True, is_enabled=True)
        automation.refresh_from_db()
        assert (automation.version, automation.stop) == (1, False)

    def test_a_refused_change_changes_nothing(self, shop: Widget) -> None:
        automation = create(shop)
        with pytest.raises(Problem) as problem:
            change(automation, name="x", then=[])
        automation.refresh_from_db()
        assert (refused(problem), automation.name, automation.version) == ({"then"}, "Refunds", 1)

    def test_another_widgets_is_none(self, shop: Widget, rival: Rival) -> None:
        theirs = AutomationFactory.create(widget=rival.widget)
        for act in (
            lambda: change_automation(widget_id=shop.pk, automation_id=theirs.pk, changes={"name": "x"}),
            lambda: delete_automation(widget_id=shop.pk, automation_id=theirs.pk),
            lambda: copy_automation(widget_id=shop.pk, automation_id=theirs.pk, name="x"),
        ):
            with pytest.raises(Problem) as problem:
                act()
            assert problem.value.type is NOT_FOUND
        assert Automation.objects.get() == theirs


class TestOrdered:
    def test_all_are_named_once(self, shop: Widget, rival: Rival) -> None:
        first, second = create(shop), create(shop)
        theirs = AutomationFactory.create(widget=rival.widget)
        for ids in ([first.pk], [first.pk, first.pk], [first.pk, second.pk, second.pk], [first.pk, theirs.pk]):
            with pytest.raises(Problem) as problem:
                order_automations(widget_id=shop.pk, ids=ids)
            assert refused(problem) == {"ids"}
        order_automations(widget_id=shop.pk, ids=[second.pk, first.pk])
        assert list(Automation.objects.for_widget(shop.pk).in_order()) == [second, first]


def test_a_copy_is_off_and_behind(shop: Widget) -> None:
    automation = AutomationFactory.create(widget=shop, position=0, stop=True)
    copy = copy_automation(widget_id=shop.pk, automation_id=automation.pk, name="Copy")
    assert (copy.name, copy.position, copy.is_enabled, copy.tried_version) == ("Copy", 1, False, None)
    assert (copy.when, copy.then, copy.stop) == (automation.when, automation.then, True)


def test_the_runs_of_a_deleted_one_stay(shop: Widget) -> None:
    run = AutomationRunFactory.create(automation__widget=shop, chat__contact__widget=shop)
    delete_automation(widget_id=shop.pk, automation_id=run.automation_id)
    assert AutomationRun.objects.get().automation_id is None
    assert not AutomationVersion.objects.exists()


class TestGone:
    @pytest.fixture
    def automation(self, shop: Widget, alice: Agent, sales: Department) -> Automation:
        return create(
            shop,
            **{"if": {"any": [{"field": "department_id", "op": "in", "value": [sales.pk]}]}},
            then=[{"do": "unassign"}, {"do": "assign", "agent_id": alice.pk}],
        )

    def problem_of(self, automation: Automation) -> Any:
        automation.refresh_from_db()
        return automation.problem

    def test_an_operator_who_goes_is_named_and_one_who_is_back_is_not(
        self, automation: Automation, shop: Widget, alice: Agent
    ) -> None:
        remove_agent(widget_id=shop.pk, agent_id=alice.pk)
        assert self.problem_of(automation) == {"path": "then.1.agent_id", "code": "gone"}
        restore_agent(widget_id=shop.pk, agent_id=alice.pk)
        assert self.problem_of(automation) is None

    def test_a_department_that_goes_is_named(self, automation: Automation, shop: Widget, sales: Department) -> None:
        delete_department(widget_id=shop.pk, department_id=sales.pk)
        assert self.problem_of(automation) == {"path": "if.any.0.value.0", "code": "gone"}
        assert change(automation, **{"if": None}).problem is None

    def test_others_have_no_problem(self, shop: Widget, alice: Agent, automation: Automation) -> None:
        other = create(shop)
        remove_agent(widget_id=shop.pk, agent_id=alice.pk)
        other.refresh_from_db()
        assert other.problem is None


class TestReady:
    def test_those_that_are_on_are_ready_in_their_order(self, shop: Widget, rival: Rival) -> None:
        second = AutomationFactory.create(widget=shop, position=2)
        first = AutomationFactory.create(widget=shop, position=1, condition=VALUES["if"], stop=True)
        AutomationFactory.create(widget=shop, position=0, is_enabled=False)
        AutomationFactory.create(widget=rival.widget)
        ready = ready_automations(shop.pk)
        assert [(each.id, each.version, each.name, each.stop) for each in ready] == [
            (first.pk, 1, first.name, True),
            (second.pk, 1, second.name, False),
        ]
        assert [ready[0].condition.holds({"text": text}) for text in ("a REFUND", "none")] == [True, False]

    def test_they_are_compiled_once_a_version(self, shop: Widget, django_assert_num_queries: Any) -> None:
        automation = AutomationFactory.create(widget=shop)
        with django_assert_num_queries(2):
            (before,) = ready_automations(shop.pk)
        with django_assert_num_queries(1):
            (again,) = ready_automations(shop.pk)
        assert again.condition is before.condition
        after = change(automation, **{"if": VALUES["if"]})
        tried(after)
        change(automation, is_enabled=True)
        (ready,) = ready_automations(shop.pk)
        assert (ready.version, ready.tree) == (2, VALUES["if"])


def test_changes_are_audited_and_trials_are_not(shop: Widget) -> None:
    automation = create(shop)
    change(automation, name="Money back")
    tried(automation)
    change(automation, is_enabled=True)
    lines = AuditEntry.objects.filter(account_id=shop.account_id, object_pk=str(automation.pk)).order_by("pk")
    changed = [set(line.changes or {}) for line in lines]
    assert changed[0] >= {"name", "when", "condition", "then"}
    assert changed[1:] == [{"name"}, {"is_enabled"}]

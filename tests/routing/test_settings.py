"""The settings that hold: a department's own, the widget's, the defaults."""

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Department
from apps.core.problems import Problem
from apps.routing.actions.settings import change_routing, routing_of, routings_of
from apps.routing.events import RoutingChanged
from apps.routing.models import RoutingSettings
from apps.routing.rules.settings import AnswerTime, LanguageRule, Routing, answer_times_refusals
from tests.cast import Rival
from tests.handlers import also

pytestmark = pytest.mark.django_db


def test_an_upgrade_changes_nothing(shop: Widget) -> None:
    assert routing_of(shop.pk, None) == Routing()
    assert not routing_of(shop.pk, None).is_routed


def test_a_department_has_the_widgets_settings_but_for_its_own(shop: Widget, sales: Department) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed", "languages": "only"})
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes={"languages": "ignore"})
    assert routing_of(shop.pk, sales.pk).is_routed
    assert routing_of(shop.pk, sales.pk).languages is LanguageRule.IGNORE
    assert routing_of(shop.pk, None).languages is LanguageRule.ONLY
    assert routings_of(shop.pk)[sales.pk] == routing_of(shop.pk, sales.pk)
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes={"languages": None})
    assert routing_of(shop.pk, sales.pk) == routing_of(shop.pk, None)


def test_a_change_is_told_once(shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[object] = []
    also(monkeypatch, published.append, RoutingChanged)
    for _ in range(2):
        change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    assert published == [RoutingChanged(widget_id=shop.pk, department_id=None)]


def test_a_department_of_another_widget_helps_nobody(shop: Widget, sales: Department, rival: Rival) -> None:
    foreign = Department.objects.create(widget=rival.widget, name="Theirs")
    for helper in (foreign.pk, sales.pk):
        changes = {"overflow_department_id": helper, "overflow_minutes": 5}
        with pytest.raises(Problem) as refused:
            change_routing(widget_id=shop.pk, department_id=sales.pk, changes=changes)
        assert list(refused.value.errors) == ["overflow.department_id"]
    assert not RoutingSettings.objects.exists()


def test_answer_times_are_of_a_priority_or_of_all_others() -> None:
    for_urgent = AnswerTime(priority="urgent", first_reply=5)
    for_all = AnswerTime(priority=None, first_reply=30)
    routing = Routing(answer_times=(for_urgent, for_all))
    assert routing.answer_time("urgent") == for_urgent
    assert routing.answer_time("low") == for_all
    assert Routing(answer_times=(for_urgent,)).answer_time("low") is None


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        ({}, ""),
        ([{}] * 6, ""),
        ([1], "0"),
        ([{"priority": "huge"}], "0.priority"),
        ([{"priority": 1}], "0.priority"),
        ([{"priority": "low"}, {"priority": "low"}], "1.priority"),
        ([{"first_reply": 0}], "0.first_reply"),
        ([{"next_reply": 43_201}], "0.next_reply"),
        ([{"resolution": True}], "0.resolution"),
        ([{"resolution": 1.5}], "0.resolution"),
        ([{"other": 1}], "0.other"),
    ],
)
def test_bad_answer_times_are_refused_by_path(rows: object, path: str) -> None:
    assert path in answer_times_refusals(rows)


def test_good_answer_times_are_taken() -> None:
    assert (
        answer_times_refusals([{"priority": "low", "resolution": 43_200}, {"first_reply": 1, "next_reply": None}]) == {}
    )

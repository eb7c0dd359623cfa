"""The demo's automations and macros: those of the shop are for its routed department alone."""

from typing import Any

from apps.accounts.models import Widget
from apps.agents.models import Department
from apps.automations.models import Automation, AutomationRun, AutomationVersion, Macro
from apps.automations.rules.runs import ActResult, RunState
from apps.chats.models import Chat
from apps.demo.data.routing import NAME as ROUTED
from apps.demo.document import Demo

WAITED = {"wait": "visitor_waits", "minutes": 10, "clock": "open"}
RATED, WROTE = {"event": "chat.rated"}, {"event": "visitor.wrote"}
MANAGERS: dict[str, Any] = {"do": "notify", "whom": "managers", "by": ["console"]}
URGENT = {"do": "priority", "value": "urgent"}
GREETED = [{"do": "reply", "text": "Thank you for your patience, {visitor.first_name|dear guest}!"}]


def seed(demo: Demo) -> None:
    """Adds to each widget the rows that are not there yet."""
    for name, widget in demo.rows(Widget).items():
        automations = _of_shop(demo, widget) if name == "shop" else [_waits(demo, widget, "Waits for ten minutes", [])]
        macros = _macros(demo, name, widget)
        demo.part(widget)["path_ids"] |= {
            "automation": automations[0].pk,
            "automation_run": _run(demo, widget, automations[0]).pk,
            "macro": macros[0].pk,
        }
        if name == "shop":
            demo.part(widget)["routing"] |= {
                "automation_ids": [each.pk for each in automations],
                "macro_ids": [each.pk for each in macros],
            }


def _of_shop(demo: Demo, widget: Widget) -> list[Automation]:
    department = demo.row(Department, f"shop {ROUTED}").pk
    of_it: list[dict[str, Any]] = [{"field": "department_id", "op": "is", "value": department}]
    low = {"field": "rating", "op": "lte", "value": 2}
    refund = {"field": "text", "op": "contains", "value": "возврат"}
    note = {"do": "note", "text": "A low rating: see what went wrong."}
    told = MANAGERS | {"text": "A visitor gave a low rating."}
    return [
        _automation(demo, widget, "Low rating", RATED, [*of_it, low], [note, told], is_enabled=True),
        _waits(demo, widget, "Wholesale waits", of_it),
        _automation(demo, widget, "Refunds", WROTE, [*of_it, refund], [{"do": "tag", "name": "refund"}, URGENT]),
    ]


def _waits(demo: Demo, widget: Widget, name: str, leaves: list[dict[str, Any]]) -> Automation:
    told = MANAGERS | {"text": "A visitor has waited for 10 minutes."}
    return _automation(demo, widget, name, WAITED, leaves, [URGENT, told])


def _automation(
    demo: Demo, widget: Widget, name: str, when: Any, leaves: list[Any], then: Any, *, is_enabled: bool = False
) -> Automation:
    """A tried automation, in the order of making."""
    what = {"when": when, "condition": {"all": leaves} if leaves else None, "then": then}
    position = Automation.objects.for_widget(widget.pk).count()
    at = demo.now if is_enabled else None
    state = {"is_enabled": is_enabled, "enabled_at": at, "position": position, "tried_version": 1, "tried_at": demo.now}
    automation, made = demo.find_or_create(
        f"{widget.guid} {name}", Automation.objects.for_widget(widget.pk), what | state, widget=widget, name=name
    )
    if made:
        AutomationVersion.objects.create(automation=automation, version=1, **what)
    return automation


def _macros(demo: Demo, name: str, widget: Widget) -> list[Macro]:
    macros = [_macro(demo, widget, "Patience", GREETED, key=1)]
    if name == "shop":
        ask = {"key": "order", "label": "Number of the order", "is_required": True}
        text = "We have taken back the order {input.order}: the money is with you in three days."
        then = [{"do": "reply", "text": text}, {"do": "tag", "name": "refund"}, {"do": "close"}]
        macros.append(_macro(demo, widget, "Refund", then, key=2, inputs=[ask]))
    return macros


def _macro(demo: Demo, widget: Widget, name: str, then: Any, *, key: int, inputs: Any = ()) -> Macro:
    macro, _made = demo.find_or_create(
        f"{widget.guid} {name}",
        Macro.objects.for_widget(widget.pk),
        {"then": then, "key": key, "inputs": list(inputs)},
        widget=widget,
        name=name,
    )
    return macro


def _run(demo: Demo, widget: Widget, automation: Automation) -> AutomationRun:
    """A run of which nothing can be undone: people were told something."""
    chat = Chat.objects.for_widget(widget.pk).get(pk=demo.part(widget)["path_ids"]["chat"])
    run, _made = demo.find_or_create(
        f"{chat.pk} run",
        AutomationRun.objects.for_widget(chat.widget_id),
        {
            "name": automation.name,
            "version": 1,
            "trigger": automation.when,
            "why": [],
            "did": [{"do": "notify", "result": ActResult.DONE, "why": None}],
            "before": [None],
            "state": RunState.DONE,
        },
        widget_id=chat.widget_id,
        chat=chat,
        automation=automation,
        event_key="demo",
    )
    return run

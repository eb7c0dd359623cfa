"""The demo's AI: a default assistant, run by the seeded AI operator, an inactive credential, alerts, a month's usage.

The master switch is off everywhere. The first account's second widget has nothing but a persona of before, to be
migrated.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from apps.accounts.models import Widget
from apps.agents.actions import set_machine_status
from apps.agents.models import Agent
from apps.ai.actions.advice import BACKUP_ANSWERED, NO_CREDENTIAL, stored_as
from apps.ai.actions.external import create_external_operator
from apps.ai.actions.personas import begin_persona
from apps.ai.models import AiSettings, Alert, Assistant, Credential, ExternalOperator, ProbeTest, Usage
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.configuration import AlertCode, severity_of
from apps.ai.rules.lifecycle import AGENT_STATUS, new_challenge
from apps.demo.document import Demo, stable_guid

WITH_AI = {"shop": "Flora", "rival": "Rival's assistant"}
TO_MIGRATE = "Ты вежливый консультант чайного магазина. Отвечай коротко."


def seed(demo: Demo) -> None:
    """Adds what is not there yet; the document has the ids."""
    for name, widget in demo.rows(Widget).items():
        part = demo.part(widget)
        if name in WITH_AI:
            part["ai"] = _with_ai(demo, name, widget)
            part["path_ids"] |= {
                "assistant": part["ai"]["assistant_id"],
                "ai_operator": part["ai"]["operator_id"],
                "ai_credential": part["ai"]["credential_id"],
                "ai_alert": part["ai"]["alert_ids"][0],
            }
        else:
            settings, _ = AiSettings.objects.get_or_create(widget=widget, defaults={"legacy_persona": TO_MIGRATE})
            part["ai"] = {
                "assistant_id": None,
                "operator_id": None,
                "credential_id": None,
                "alert_ids": [],
                "enabled": settings.enabled,
            }
        part["external_operators"] = [_external(demo, widget, number, standing) for number, standing in _EXTERNAL[name]]
        part["path_ids"] |= {
            "external_operator": part["external_operators"][0]["public_id"],
            "external_operator_test": part["external_operators"][0]["test_public_id"],
        }


# The external operators of each widget: none is active, and their host does not resolve.
_EXTERNAL: dict[str, list[tuple[int, str]]] = {
    "shop": [(1, "draft"), (2, "paused"), (3, "revoked")],
    "blog": [(4, "draft")],
    "rival": [(5, "paused")],
}
NO_HOST = "https://bot.parley-demo.invalid/turns"


def _external(demo: Demo, widget: Widget, number: int, standing: str) -> dict[str, Any]:
    """An external operator with a finished test; a paused one is verified."""
    name, public_id = f"Robin {number}", UUID(stable_guid(f"external operator {number}"))
    operator = (
        ExternalOperator.objects.unscoped("demo data, by what it made")
        .filter(public_id=public_id)
        .select_related("agent")
        .first()
    )
    if operator is None:
        operator = create_external_operator(widget=widget, name=name, url=NO_HOST, target=NO_HOST, actor=SYSTEM)
        test = ProbeTest.objects.create(
            public_id=UUID(stable_guid(f"external test {number}")),
            operator=operator,
            url=NO_HOST,
            target=NO_HOST,
            challenge=new_challenge(),
            status="failed",
            error="unreachable",
            duration_ms=12,
            finished_at=demo.now,
        )
        operator.public_id, operator.last_test, operator.standing = public_id, test, standing
        operator.verified_at = demo.now - timedelta(days=1) if standing == "paused" else None
        operator.secret = None if standing == "revoked" else operator.secret
        operator.save()
        status = Agent.Status(AGENT_STATUS[standing])
        set_machine_status(widget_id=widget.pk, agent_id=operator.agent_id, status=status)
    test_ids = operator.tests.order_by("-id").values_list("public_id", flat=True)
    return {
        "public_id": str(operator.public_id),
        "agent_id": operator.agent_id,
        "name": operator.agent.name,
        "state": operator.standing,
        "endpoint_url": operator.url,
        "signing_secret": operator.secret,
        "test_public_id": str(test_ids[0]),
    }


def _with_ai(demo: Demo, name: str, widget: Widget) -> dict[str, Any]:
    assistant, is_new = Assistant.objects.get_or_create(
        widget=widget,
        is_default=True,
        defaults={
            "name": WITH_AI[name],
            "persona": "Ты Флора, чайный мастер «Leaf & Kettle». Отвечай тепло и коротко, на языке посетителя.",
            "system_prompt": "Не обещай скидок. О возврате говорит только человек.",
            "escalation_triggers": ["возврат*", "жалоб*", "refund*"],
            "greeting": "Здравствуйте! Помочь выбрать чай?",
            "greeting_i18n": {
                "en": "Hello! Shall I help you choose a tea?",
                "de": "Guten Tag! Darf ich Ihnen einen Tee empfehlen?",
            },
            "quick_phrases": ["Какой чай пить утром?", "Сколько стоит доставка?"],
            "quick_phrases_i18n": {
                "en": ["Which tea is good for the morning?", "How much is delivery?"],
                "de": ["Welcher Tee passt zum Morgen?", "Was kostet die Lieferung?"],
            },
        },
    )
    if is_new:
        begin_persona(assistant, actor=SYSTEM)
        _used(demo, widget, assistant)
    operator = _operator(widget, assistant)
    credential, _ = demo.find_or_create(
        widget.guid,
        Credential.objects.for_widget(widget.pk),
        {"api_key": "sk-demo-no-real-key", "is_active": False},
        widget=widget,
        provider="openai",
    )
    alerts = _alerts(demo, widget, assistant)
    settings, _ = AiSettings.objects.get_or_create(widget=widget)
    demo.keep(f"{name} assistant", assistant)
    return {
        "assistant_id": assistant.pk,
        "operator_id": operator.pk,
        "credential_id": credential.pk,
        "alert_ids": [alert.pk for alert in alerts],
        "enabled": settings.enabled,
    }


def _operator(widget: Widget, assistant: Assistant) -> Agent:
    """The seeded AI operator, or one of our own, which runs the assistant."""
    operator = Agent.objects.for_widget(widget.pk).filter(type=Agent.Type.AI).order_by("pk").first()
    if operator is None:
        operator = Agent.objects.create(widget=widget, type=Agent.Type.AI, name=assistant.name)
    if operator.ai_assistant_id is None:
        operator.ai_assistant_id = assistant.pk
        operator.save(update_fields=["ai_assistant_id"])
    return operator


def _alerts(demo: Demo, widget: Widget, assistant: Assistant) -> list[Alert]:
    return [
        demo.find_or_create(
            f"{widget.guid} {code.value}",
            Alert.objects.for_widget(widget.pk),
            {
                "severity": severity_of(code).value,
                **stored_as(sentence, {}),
                "assistant": assistant,
                "first_at": demo.now - timedelta(hours=5),
                "last_at": demo.now - timedelta(hours=1),
                "acknowledged_at": demo.now - timedelta(minutes=30) if is_known else None,
            },
            widget=widget,
            code=code.value,
        )[0]
        for code, sentence, is_known in (
            (AlertCode.NOT_CONFIGURED, NO_CREDENTIAL, False),
            (AlertCode.BACKUP_USED, BACKUP_ANSWERED, True),
        )
    ]


def _used(demo: Demo, widget: Widget, assistant: Assistant) -> None:
    Usage.objects.bulk_create(
        Usage(
            widget=widget,
            assistant=assistant,
            purpose="reply",
            model="gpt-5.4-mini",
            prompt_tokens=900 + 10 * day,
            completion_tokens=120 + day,
            latency_ms=1_800,
            outcome="ok",
            at=demo.now - timedelta(days=day),
        )
        for day in range(30)
    )

"""The third widget of the demo's first account: a tea shop whose AI is switched on, with a model that is played.

`make run` alone makes it, and plays its model and visitors (`apps/demo/servers/trial.py`): `seed_demo` knows the two
others. In a start without the model its AI is switched off.
"""

from typing import Any

from django.apps import apps
from django.db import transaction

from apps.accounts.models import Account, User, Widget
from apps.agents.models import Agent, Department
from apps.demo.data.accounts import ACCOUNTS, PASSWORD, person
from apps.demo.data.phrase_book import KNOWLEDGE, MODEL
from apps.demo.document import stable_guid

NAME = "Leaf & Kettle (played model)"
OPERATOR = ("paula@shop.example", "Paula", "Berg")
NEEDED = ("apps.ai", "apps.kb", "apps.widget", "apps.chats")
SETTINGS: dict[str, Any] = {
    "widget_name": "Leaf & Kettle",
    "widget_signature": "A trial: the model that answers here is played",
    "widget_greeting": "Hello! Ask about delivery, returns, brewing or payment; in German or Russian, too.",
    "widget_accent_color": "#2f6b3c",
    "widget_supported_languages": ["en", "de", "ru", "es"],
}


def guid() -> str:
    """The widget's guid, the same on every installation."""
    return stable_guid("widget played")


def seed_played(port: int) -> dict[str, Any] | None:
    """Makes the widget, or brings it up to date; `port` is where the model is played, 0: nowhere.

    None where there is no model, or an app that it needs is left out.
    """
    if not all(apps.is_installed(name) for name in NEEDED):
        return None
    if not port:
        _switch_off()
        return None
    with transaction.atomic():
        widget, is_new = Widget.objects.get_or_create(
            guid=guid(),
            defaults={
                "account": Account.objects.get(email=ACCOUNTS[0].email),
                "name": NAME,
                "seats": 3,
                "api_enabled": True,
            },
        )
        if is_new:
            _people(widget)
            _look(widget)
            _knowledge(widget)
        _ai(widget, f"http://127.0.0.1:{port}/v1")
    return {"id": widget.pk, "guid": widget.guid, "name": widget.name, "operator": OPERATOR[0], "password": PASSWORD}


def _people(widget: Widget) -> None:
    owner = User.objects.get(email=ACCOUNTS[0].owner[0])
    paula = person(*OPERATOR, account=widget.account)
    people = ((owner, Agent.Role.OWNER), (paula, Agent.Role.OPERATOR))
    agents = [
        Agent.objects.create(widget=widget, user=one, name=one.name, surname=one.surname, email=one.email, role=role)
        for one, role in people
    ]
    department = Department.objects.create(widget=widget, name="Tea masters", channels=["smb"])
    department.agents.set(agents)


def _look(widget: Widget) -> None:
    from apps.widget.models import WidgetSettings

    WidgetSettings.objects.for_widget(widget.pk).update_or_create(
        widget=widget, defaults={"stored": SETTINGS, "legacy": False}
    )


def _knowledge(widget: Widget) -> None:
    from apps.kb.actions.documents import replace_document
    from apps.kb.rules.documents import Chunk
    from apps.kb.rules.texts import SourceType

    for language in ("en", "de", "ru"):
        chunks = [Chunk(*piece[language]) for piece in KNOWLEDGE]
        replace_document(
            widget_id=widget.pk,
            source_ref=f"manual:tea-{language}",
            source_type=SourceType.MANUAL,
            title=f"Leaf & Kettle: questions and answers ({language})",
            doc_id=f"tea-{language}",
            url=None,
            chunks=chunks,
        )


def _ai(widget: Widget, base_url: str) -> None:
    """The assistant, its operator, its questions, the played model's credential; AI is switched on once."""
    from apps.ai.actions.assistants import create_assistant
    from apps.ai.actions.credentials import create_credential
    from apps.ai.actions.evaluation_cases import create_case
    from apps.ai.actions.operators import create_operator
    from apps.ai.actions.settings import change_settings
    from apps.ai.models import Assistant, Credential
    from apps.ai.rules.actors import SYSTEM

    if not Assistant.objects.for_widget(widget.pk).exists():
        assistant = create_assistant(
            widget_id=widget.pk,
            actor=SYSTEM,
            name="Flora (played)",
            persona="You are Flora, the tea master of Leaf & Kettle. Answer warmly, in the visitor's language.",
            quick_phrases=[piece["en"][0] for piece in KNOWLEDGE[:3]],
            quick_phrases_i18n={language: [piece[language][0] for piece in KNOWLEDGE[:3]] for language in ("de", "ru")},
        )
        create_operator(widget_id=widget.pk, assistant_id=assistant.pk)
        for piece, must in zip(KNOWLEDGE[:3], ("2 to 3 days", "30 days", "Ruby Mountain"), strict=True):
            create_case(widget_id=widget.pk, assistant=assistant, question=piece["en"][0], must=[must])
    known = Credential.objects.for_widget(widget.pk).filter(provider="openai_compatible", model=MODEL).first()
    if known is None:
        create_credential(
            widget_id=widget.pk,
            provider="openai_compatible",
            base_url=base_url,
            target=base_url,
            api_key="played",
            model=MODEL,
            own_embedding_model=MODEL,
        )
    elif known.target != base_url:  # the port of an earlier run was another one
        Credential.objects.for_widget(widget.pk).filter(pk=known.pk).update(base_url=base_url, target=base_url)
    change_settings(widget_id=widget.pk, changes={"enabled": True})


def _switch_off() -> None:
    from apps.ai.actions.settings import change_settings

    widget = Widget.objects.filter(guid=guid()).first()
    if widget is not None:
        change_settings(widget_id=widget.pk, changes={"enabled": False})

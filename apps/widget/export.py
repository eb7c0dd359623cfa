"""The tables of settings, icons, translations, verified visitors and questions in an export of a widget."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from apps.accounts.actions.import_fields import refusal_by
from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.chats.rules.contacts import attribute_refusals
from apps.chats.rules.languages import LANGUAGES
from apps.chats.rules.texts import text_refusal
from apps.chats.serializers.texts import TextsByLanguage
from apps.core.parsing.names import control_refusal, name_refusal
from apps.widget.models import (
    ChatAnswers,
    ChatInvitation,
    ContactConsent,
    Icon,
    QuestionSet,
    Translation,
    UnsubscribedEmail,
    VerifiedVisitor,
    WidgetSettings,
)
from apps.widget.rules.fields import BY_NAME, TEXTS
from apps.widget.rules.icons import CUSTOM, PRESETS, TYPES, custom_id
from apps.widget.rules.invitation_rules import rule_refusals
from apps.widget.rules.invitations import (
    MAX_BUTTON,
    MAX_BUTTONS,
    MAX_TEXT,
    InvitationState,
    goal_refusals,
    settings_refusals,
)
from apps.widget.rules.questions import KEY, renumber_questions, set_refusals
from apps.widget.serializers.invitations import InvitationSettingsBody
from apps.widget.serializers.questions import QuestionSetBody
from apps.widget.serializers.settings_requests import SettingsChangesBody

_SHA256 = re.compile(r"[0-9a-f]{64}")


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Sessions and offline forms stay: browsers begin new ones, and no visitor is mailed by two installations."""
    yield ExportTable(
        name="icons",
        rows=Icon.objects.for_widget(widget_id),
        stored=("key", "still_key"),
        checks={"content_type": _type_refusal},
    )
    yield ExportTable(
        name="widget_settings",
        rows=WidgetSettings.objects.for_widget(widget_id),
        without=("previous_until", "found_on"),
        renumbers=_renumber_icons,
        checks={"stored": refusal_by(SettingsChangesBody()), "invitations": _settings_refusal},
        switches=("mail_answers",),
    )
    ready = Translation.objects.for_widget(widget_id).filter(state=Translation.State.READY)
    yield ExportTable(name="translations", rows=ready, row_refusals=_translation_refusals)
    yield ExportTable(
        name="verified_visitors",
        rows=VerifiedVisitor.objects.for_widget(widget_id),
        checks={"user_id": control_refusal},
    )
    yield ExportTable(
        name="chat_invitations",
        rows=ChatInvitation.objects.for_widget(widget_id),
        without=("round_since", "shown_on", "shown_that_day"),
        checks={
            "name": name_refusal,
            "texts": _TEXTS,
            "buttons": _buttons_refusal,
            "rule": lambda rule: _first(rule_refusals(rule)),
            "goal": lambda goal: None if goal is None else _first(goal_refusals(goal)),
        },
        made=_pause,
    )
    yield ExportTable(name="stopped_addresses", rows=UnsubscribedEmail.objects.for_widget(widget_id))
    yield from _of_questions(widget_id)


def _of_questions(widget_id: int) -> Iterator[ExportTable]:
    """The questions before the answers, whose departments they name."""
    departments: set[str] = set()

    def renumber_set(row: dict[str, Any], look_up: LookUp) -> None:
        departments.update(renumber_questions(row.get("questions", []), look_up))

    def renumber_answers(row: dict[str, Any], look_up: LookUp) -> None:
        for key in departments & row.get("answers", {}).keys():
            row["answers"][key] = look_up("departments", row["answers"][key])

    yield ExportTable(
        name="question_sets",
        rows=QuestionSet.objects.for_widget(widget_id),
        renumbers=renumber_set,
        checks={"intro": lambda intro: _set_refusal(intro, []), "questions": lambda rows: _set_refusal(None, rows)},
    )
    yield ExportTable(
        name="chat_answers",
        rows=ChatAnswers.objects.for_widget(widget_id),
        refers={"message_id": "messages"},
        renumbers=renumber_answers,
        checks={"answers": _answers_refusal},
    )
    yield ExportTable(
        name="contact_consents",
        rows=ContactConsent.objects.for_widget(widget_id),
        checks={
            "key": lambda key: None if KEY.fullmatch(key) else "It is no key of a question.",
            "text_sha256": lambda text: None if _SHA256.fullmatch(text) else "It has 64 hexadecimal digits.",
            "lang": lambda lang: None if lang in LANGUAGES else "There is no such language.",
        },
    )


def _set_refusal(intro: Any, questions: Any) -> str | None:
    document = {"intro": intro, "questions": questions}
    if refusal := refusal_by(QuestionSetBody())(document):
        return refusal
    whole = QuestionSetBody().run_validation(document)
    if whole["questions"] != questions:
        return "Each question has all its members."
    return next(iter(set_refusals(whole["intro"], whole["questions"], LANGUAGES).values()), None)


def _answers_refusal(answers: Any) -> str | None:
    if not isinstance(answers, dict) or not all(map(KEY.fullmatch, answers)):
        return "An object of questions' keys is expected."
    return next(iter(attribute_refusals(answers).values()), None)


def _pause(made: Iterable[tuple[ChatInvitation, dict[str, Any]]], account_id: int) -> None:
    """A live one meets nobody here until its owner says so."""
    for invitation, _ in made:
        if invitation.state == InvitationState.LIVE:
            invitation.state = InvitationState.PAUSED


_TEXTS = refusal_by(TextsByLanguage(max_length=MAX_TEXT, multiline=True))
_BUTTON = refusal_by(TextsByLanguage(max_length=MAX_BUTTON))


def _buttons_refusal(buttons: Any) -> str | None:
    if not isinstance(buttons, list) or len(buttons) > MAX_BUTTONS:
        return f"A list of at most {MAX_BUTTONS} texts is expected."
    return next(filter(None, map(_BUTTON, buttons)), None)


def _first(refusals: dict[str, str]) -> str | None:
    return next((f"{path}: {text}" for path, text in refusals.items()), None)


def _settings_refusal(stored: Any) -> str | None:
    return refusal_by(InvitationSettingsBody())(stored) or next(iter(settings_refusals(stored).values()), None)


def _type_refusal(type_: str) -> str | None:
    return None if type_ in TYPES else "No icon is of this type."


def _translation_refusals(row: dict[str, Any]) -> dict[str, str]:
    if row.get("locale") not in LANGUAGES:
        return {"locale": "There is no such language."}
    if row.get("field") not in TEXTS:
        return {"field": "No such text is translated."}
    refusal = text_refusal(row["text"], multiline=BY_NAME[row["field"]].multiline) if row.get("text") else None
    return {"text": refusal} if refusal else {}


def _renumber_icons(row: dict[str, Any], look_up: LookUp) -> None:
    if "stored" in row:
        row["stored"] = _renumbered(row["stored"], look_up)


def _renumbered(value: Any, look_up: LookUp) -> Any:
    """Settings, in which icons of the widget's own are named wherever an icon is chosen."""
    if isinstance(value, dict):
        return {name: _renumbered(each, look_up) for name, each in value.items()}
    if isinstance(value, list):
        return [_renumbered(each, look_up) for each in value]
    if isinstance(value, str) and (number := custom_id(value)) is not None:
        found = look_up("icons", number)
        return f"{CUSTOM}{found}" if found else PRESETS[0]
    return value


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    pending = Translation.objects.for_widget(widget_id).filter(state=Translation.State.PENDING)
    return {"translations": pending.count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)

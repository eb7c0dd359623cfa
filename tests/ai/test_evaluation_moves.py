"""Test questions move with their widget: with the numbers of the new chats, and out of exports made before."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.actions.imports import import_widget
from apps.accounts.models import Account, Widget
from apps.ai.actions.evaluation_cases import case_of_message
from apps.ai.models import AiSettings, EvaluationCase
from apps.chats.models import Chat, Message
from tests.factories.accounts import AccountFactory
from tests.factories.chats import MessageFactory

pytestmark = pytest.mark.django_db
NEW = ("language", "sources", "judge", "is_active", "born_from", "born_chat_id", "born_message_id")


@pytest.fixture
def export(shop: Widget, chat: Chat, tmp_path: Path) -> Path:
    """The export of a widget with a question that was made of its chat; the widget is gone."""
    MessageFactory.create(chat=chat, body="Почём розы?")
    answer = MessageFactory.create(chat=chat, body="По 90.", sender_kind="agent")
    AiSettings.objects.create(widget=shop, evaluation_gate="off")
    case_of_message(message=answer, must=["90"], language="ru", sources=["Цены"], judge="A price.", is_active=False)
    call_command("export_widget", shop.guid, str(tmp_path / "export"))
    Widget.objects.filter(pk=shop.pk).delete()
    return tmp_path / "export"


def rows_of(export: Path, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (export / f"{table}.jsonl").read_bytes().splitlines()]


def rewritten(export: Path, table: str, rows: list[dict[str, Any]]) -> None:
    (export / f"{table}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_question_keeps_all_it_has_and_the_message_that_it_was_made_of(export: Path) -> None:
    account: Account = AccountFactory.create()
    widget = import_widget(account=account, directory=export).widget
    made = EvaluationCase.objects.for_widget(widget.pk).get()
    assert (made.must, made.language, made.sources, made.judge) == (["90"], "ru", ["Цены"], "A price.")
    assert (made.is_active, made.born_from) == (False, "chat")
    answer = Message.objects.for_widget(widget.pk).get(body="По 90.")
    assert (made.born_chat_id, made.born_message_id) == (answer.chat_id, answer.pk)
    assert AiSettings.objects.get(widget=widget).evaluation_gate == "off"


def test_an_export_of_before_comes_in_with_defaults(export: Path) -> None:
    cases = [
        {name: value for name, value in row.items() if name not in NEW} for row in rows_of(export, "evaluation_cases")
    ]
    rewritten(export, "evaluation_cases", cases)
    settings = [
        {name: value for name, value in row.items() if name != "evaluation_gate"}
        for row in rows_of(export, "ai_settings")
    ]
    rewritten(export, "ai_settings", settings)
    widget = import_widget(account=AccountFactory.create(), directory=export).widget
    made = EvaluationCase.objects.for_widget(widget.pk).get()
    assert (made.question, made.must, made.language, made.sources, made.judge) == ("Почём розы?", ["90"], "", [], "")
    assert (made.is_active, made.born_from, made.born_chat_id, made.born_message_id) == (True, "hand", None, None)
    assert AiSettings.objects.get(widget=widget).evaluation_gate == "ask"


@pytest.mark.parametrize(
    ("column", "value"),
    [("language", "fr"), ("sources", ["1", "2", "3", "4", "5", "6"]), ("judge", "x" * 501), ("born_from", "elsewhere")],
)
def test_what_the_api_would_refuse_is_refused(export: Path, column: str, value: Any) -> None:
    rewritten(export, "evaluation_cases", [{**row, column: value} for row in rows_of(export, "evaluation_cases")])
    with pytest.raises(ImportFailed, match=column):
        import_widget(account=AccountFactory.create(), directory=export)
    assert not EvaluationCase.objects.exists()

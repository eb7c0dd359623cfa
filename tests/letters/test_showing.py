"""The letter of a message as operators see it (design of letters, 5): made when it comes, in the cage, and bounded."""

from typing import Any

import pytest

from apps.chats.models import Chat
from apps.letters.actions.receiving import markup
from apps.letters.actions.receiving.markup import read_markup
from apps.letters.actions.receiving.showing import letter_of_message
from apps.letters.models import InLetter
from apps.letters.rules.reading import letters, shown_markup
from apps.letters.rules.reading.limits import MAX_SHOWN
from tests.client import client
from tests.factories.letters import RAW, LetterMessageFactory


def shown(html: str) -> str:
    found = read_markup(html)
    assert found is not None
    return found.shown


def test_nothing_of_a_letter_runs_or_is_fetched(chat: Chat) -> None:
    message = LetterMessageFactory.create(chat=chat)
    letter = letter_of_message(widget_id=chat.widget_id, message_id=message.pk)
    assert letter["html"].strip() == "<p>Do you have <b>roses</b>?</p>"
    assert (letter["from"], letter["to"], letter["subject"]) == (
        "Mary <mary@mail.test>",
        ["support@flowers.test"],
        "Roses",
    )


def test_the_raw_letter_is_a_download(chat: Chat) -> None:
    message = LetterMessageFactory.create(chat=chat)
    address = letter_of_message(widget_id=chat.widget_id, message_id=message.pk)["raw"]
    answer = client().get(address)
    assert (answer.status_code, answer.content, answer["Content-Type"]) == (200, RAW, "application/octet-stream")
    assert answer["Content-Disposition"].startswith("attachment")
    assert client().get(f"{address}x").status_code == 404


def test_what_was_made_at_receipt_is_read_and_nothing_is_parsed(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    message = LetterMessageFactory.create(chat=chat)
    kept: dict[str, Any] = {
        "from": "Mary",
        "to": [],
        "cc": [],
        "subject": "Roses",
        "text": "",
        "html": "<p>Да</p>",
        "files": [],
    }
    InLetter.objects.for_widget(chat.widget_id).filter(message=message).update(shown=kept)

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a stranger's letter was parsed in this process")

    monkeypatch.setattr(letters, "parsed", refused)
    monkeypatch.setattr(markup, "_call", refused)
    letter = letter_of_message(widget_id=chat.widget_id, message_id=message.pk)
    assert {name: letter[name] for name in kept} == kept


def test_a_letter_from_before_is_read_in_the_cage(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    message = LetterMessageFactory.create(chat=chat)

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a stranger's letter was parsed in this process")

    monkeypatch.setattr(letters, "parsed", refused)
    letter = letter_of_message(widget_id=chat.widget_id, message_id=message.pk)
    assert letter["subject"] == "Roses"
    assert InLetter.objects.for_widget(chat.widget_id).get(message=message).shown is None  # a look changes no row


@pytest.mark.parametrize(
    ("html", "left"),
    [
        (
            '<a href="javascript:x()">a</a><a href="https://x.test" style="position:fixed">b</a><form><input></form><svg></svg>',
            '<a rel="noopener noreferrer nofollow">a</a><a href="https://x.test" rel="noopener noreferrer nofollow">b</a>',
        ),
        ('<a href=" java\tscript:x()">a</a>', '<a rel="noopener noreferrer nofollow">a</a>'),
        ('<a href="/admin/">a</a>', '<a rel="noopener noreferrer nofollow">a</a>'),
        (
            "<a href='https://x.test/?a=1&b=\"><script>'>a</a>",
            '<a rel="noopener noreferrer nofollow">a</a>',
        ),
        ("<p title='a' dir=rtl align=\"x'y\">&lt;script&gt;</p>", '<p dir="rtl">&lt;script&gt;</p>'),
        ("<p>a<style>p{}</style>b<script>x()</script>c<!-- d --></p>", "<p>abc</p>"),
        ("<p>a<math><mtext><style><img src=x onerror=x()></style></mtext></math>b</p>", "<p>ab</p>"),
        (
            '<table><tr><td colspan="2" onclick="x()">a&#27;b</td></tr></table>',
            '<table><tr><td colspan="2">ab</td></tr></table>',
        ),
    ],
)
def test_links_stay_and_all_that_runs_goes(html: str, left: str) -> None:
    assert shown(f"<div>{html}</div>") == f"<div>{left}</div>"


@pytest.mark.parametrize(
    "unit",
    ["<ul><li>", "<b id=a>", "<b dir=ltr><p>", "<div>", "<table><tr><td>", "<a href=https://a.test>", "<font><p></b>"],
)
def test_depth_elements_and_length_are_bounded(unit: str) -> None:
    made = shown(f"<p>begins</p>{unit * (500_000 // len(unit))}")
    depth = deepest = count = 0
    for tag in made.split("<")[1:]:
        depth += -1 if tag.startswith("/") else 1
        deepest, count = max(deepest, depth), count + 1
    assert "begins" in made
    assert deepest <= shown_markup.MAX_DEPTH
    assert count <= 2 * shown_markup.MAX_ELEMENTS + shown_markup.MAX_DEPTH
    assert len(made) < 2 * MAX_SHOWN


def test_what_is_too_deep_keeps_its_words() -> None:
    html = f"<p>a</p>{'<div>' * 100}розы{'</div>' * 100}<p>c</p>"
    assert "розы" in shown(html)
    assert shown(html).endswith("<p>c</p>")

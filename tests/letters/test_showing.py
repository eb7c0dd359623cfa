"""The letter of a message as operators see it (design of letters, 5)."""

from apps.chats.models import Chat
from apps.letters.actions.receiving.showing import clean, letter_of_message
from tests.client import client
from tests.factories.letters import RAW, LetterMessageFactory


def test_nothing_of_a_letter_runs_or_is_fetched(chat: Chat) -> None:
    message = LetterMessageFactory.create(chat=chat)
    shown = letter_of_message(widget_id=chat.widget_id, message_id=message.pk)
    assert shown["html"].strip() == "<p>Do you have <b>roses</b>?</p>"
    assert (shown["from"], shown["to"], shown["subject"]) == (
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


def test_links_stay_and_styles_go() -> None:
    html = '<a href="javascript:x()">a</a><a href="https://x.test" style="position:fixed">b</a><form><input></form><svg></svg>'
    assert (
        clean(html)
        == '<a rel="noopener noreferrer nofollow">a</a><a href="https://x.test" rel="noopener noreferrer nofollow">b</a>'
    )

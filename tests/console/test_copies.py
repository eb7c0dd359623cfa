"""`/console/chats/{id}/copies`: who gets a copy of the answers of a mailbox's chat."""

from typing import Any

import pytest

from apps.chats.models import Chat
from apps.letters.models import Mailbox, Thread
from tests.console.browser import Console
from tests.letters.test_mailboxes import come, mailbox  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def path(mailbox: Mailbox) -> str:  # noqa: F811
    """Of a chat in which Mary wrote to the shop and Tom, and Eve answered her letter."""
    come(mailbox, "Do you have roses?")
    chat, thread = Chat.objects.get(), Thread.objects.get()
    assert (thread.address, thread.copies) == ("mary@mail.test", ["tom@mail.test"])
    from apps.letters.models import InLetter

    row = InLetter.objects.get()
    InLetter.objects.create(
        widget_id=row.widget_id,
        mailbox=mailbox,
        door=row.door,
        sender="eve@mail.test",
        is_third=True,
        chat=chat,
        message_id=row.message_id,
    )
    return f"/chats/{chat.pk}/copies"


def test_copies_are_those_of_the_letter(path: str, alices_console: Console) -> None:
    assert alices_console.get(path).json()["data"] == {
        "address": "mary@mail.test",
        "copies": ["tom@mail.test"],
        "others": ["eve@mail.test"],
    }


def test_a_copy_is_taken_away_and_a_third_person_written_to(path: str, alices_console: Console) -> None:
    answer: Any = alices_console.put(path, json={"copies": ["EVE@mail.test", "eve@mail.test"]})
    assert answer.json()["data"] == {
        "address": "mary@mail.test",
        "copies": ["eve@mail.test"],
        "others": ["tom@mail.test"],
    }
    assert Thread.objects.get().copies == ["eve@mail.test"]


@pytest.mark.parametrize(
    "copies",
    [["x@evil.test"], ["support@flowers.test"], ["mary@mail.test"], ["tom@mail.test\r\nBcc: x@evil.test"], ["a"] * 11],
)
def test_who_had_no_part_gets_no_copy(path: str, alices_console: Console, copies: list[str]) -> None:
    answer: Any = alices_console.put(path, json={"copies": copies})
    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["copies"])
    assert Thread.objects.get().copies == ["tom@mail.test"]


def test_a_chat_of_the_site_has_no_copies(chat: Chat, alices_console: Console) -> None:
    path = f"/chats/{chat.pk}/copies"
    nothing = {"address": None, "copies": [], "others": []}
    assert alices_console.put(path, json={"copies": []}).json()["data"] == nothing
    assert alices_console.put(path, json={"copies": ["x@mail.test"]}).status_code == 422

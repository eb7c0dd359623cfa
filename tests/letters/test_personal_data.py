"""Letters as they came, in a contact's copy, in an erasure, and in the export of a widget (design of letters, 10)."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.actions.imports import import_widget
from apps.accounts.models import Widget
from apps.chats.actions import copy_of_contact, erase_contact
from apps.chats.models import Contact
from apps.core.files import storage
from apps.core.models import OrphanedObject
from apps.letters.actions.receiving.showing import letter_of_message, raw_of
from apps.letters.models import InLetter, Mailbox, Thread
from tests.letters.test_mailboxes import PASS, come, mailbox  # noqa: F401 - a fixture

TOM = "Tom <tom@shop.test>"


def contact_of(row: InLetter) -> Contact:
    assert row.chat is not None
    return row.chat.contact


def files_of(contact: Contact) -> dict[str, bytes]:
    content = b"".join(copy_of_contact(widget_id=contact.widget_id, guid=contact.guid))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def has_bytes(row: InLetter) -> bool:
    try:
        return bool(storage.read_stored(row.raw_key, most=1_000_000))
    except storage.Gone:
        return False


def sweep() -> None:
    """What is done a day later."""
    OrphanedObject.objects.update(sweep_at=timezone.now() - timezone.timedelta(days=1))
    storage.sweep()


@pytest.fixture
def letters(mailbox: Mailbox) -> dict[str, InLetter]:  # noqa: F811
    """Mary's letter and Tom's, each in a chat of theirs; one of a machine of Mary's, and a server's report about her."""
    found = {
        "mary's": come(mailbox, "Do you have roses?"),
        "tom's": come(mailbox, "Do you have tulips?", sender=TOM),
        "a machine's": come(mailbox, "I am away", fields=f"{PASS}List-Id: <x>\r\n"),
        "a report": come(mailbox, "It failed", sender="daemon@mail.test", fields="List-Id: <y>\r\n"),
    }
    thread = Thread.objects.get(address="mary@mail.test")
    InLetter.objects.filter(pk=found["a report"].pk).update(thread=thread)
    assert [row.chat_id is None for row in found.values()] == [False, False, True, True]
    assert all(map(has_bytes, found.values()))
    return found


def test_a_copy_has_the_letters_as_they_came(letters: dict[str, InLetter]) -> None:
    found = files_of(contact_of(letters["mary's"]))
    rows = [json.loads(line) for line in found["letters_in.jsonl"].splitlines()]
    hers = [row for name, row in letters.items() if name != "tom's"]
    assert [row["id"] for row in rows] == [row.pk for row in hers]
    assert (rows[0]["sender"], rows[0]["subject"]) == ("mary@mail.test", "Roses")
    raws = {name: content for name, content in found.items() if name.endswith(".eml")}
    assert raws == {f"files/{row.pk}-letter-{row.pk}.eml": raw_of(row) for row in hers}
    everything = b"".join(found.values())
    assert b"tulips" not in everything
    for secret in (
        *Thread.objects.values_list("right", flat=True),
        *Mailbox.objects.values_list("hook_key", flat=True),
    ):
        assert secret.encode() not in everything
    assert b"storage_key" not in everything


def test_a_letter_whose_bytes_are_not_kept_is_told_of(letters: dict[str, InLetter]) -> None:
    InLetter.objects.filter(pk=letters["mary's"].pk).update(raw_key="")
    found = files_of(contact_of(letters["mary's"]))
    assert len(found["letters_in.jsonl"].splitlines()) == 3
    assert len([name for name in found if name.endswith(".eml")]) == 2


def test_an_erasure_leaves_no_letter_but_anothers(letters: dict[str, InLetter]) -> None:
    mary = contact_of(letters["mary's"])
    erase_contact(widget_id=mary.widget_id, guid=mary.guid)
    sweep()
    assert list(InLetter.objects.values_list("pk", flat=True)) == [letters["tom's"].pk]
    assert {name: has_bytes(row) for name, row in letters.items()} == {
        "mary's": False,
        "tom's": True,
        "a machine's": False,
        "a report": False,
    }
    assert b"tulips" in raw_of(letters["tom's"])


def test_an_export_takes_letters_along_and_no_right(letters: dict[str, InLetter], shop: Widget, tmp_path: Path) -> None:
    directory = tmp_path / "export"
    call_command("export_widget", shop.guid, str(directory))
    secrets: list[Any] = [*Thread.objects.values_list("right", flat=True)]
    secrets += Mailbox.objects.values_list("hook_key", flat=True)
    everything = b"".join(path.read_bytes() for path in directory.rglob("*") if path.is_file())
    assert not [secret for secret in secrets if secret.encode() in everything]
    there = import_widget(account=shop.account, directory=directory).widget
    came = InLetter.objects.for_widget(there.pk).order_by("pk")
    assert [(row.sender, row.subject, row.mailbox_id, row.thread_id) for row in came] == [
        ("mary@mail.test", "Roses", None, None),
        ("tom@shop.test", "Roses", None, None),
    ]
    for was, row in zip((letters["mary's"], letters["tom's"]), came, strict=True):
        assert row.raw_key != was.raw_key
        assert raw_of(row) == raw_of(was)
        assert letter_of_message(widget_id=there.pk, message_id=row.message_id or 0)["subject"] == "Roses"

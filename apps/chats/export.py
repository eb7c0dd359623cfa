"""The tables and sheets of contacts and chats in an export of a widget."""

import re
from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.import_fields import as_sent, at_most, refusal_by
from apps.accounts.actions.widget_export import ExportSheet, ExportTable, LookUp, WidgetExport
from apps.chats.api.messages import PlaceBody
from apps.chats.models import (
    Block,
    Chat,
    ChatActivity,
    ConsoleSettings,
    Contact,
    ContactJoin,
    ContactNote,
    ContactTag,
    File,
    Message,
    MessageEdit,
    Rating,
    RatingRequest,
    Retention,
    Tag,
    Transfer,
)
from apps.chats.querysets.ratings import newest_rating
from apps.chats.rules.blocks import network_refusal
from apps.chats.rules.contacts import MAX_ATTRIBUTE_VALUE, MAX_ATTRIBUTES, tag_refusal
from apps.chats.rules.keyboards import link_refusal
from apps.chats.rules.messages import BY_PERSON, MAX_BODY_LENGTH, MAX_KIND, SHOWN_AS, SOURCES, SenderKind
from apps.chats.rules.people import MAX_NOTE
from apps.chats.rules.translations import TRANSLATIONS, switch_refusal, translations_refusal
from apps.chats.serializers.requests import ContactBody, KeyboardBody
from apps.chats.settings import RETENTION, SETTINGS
from apps.core.parsing.file_types import FOUND_TYPES
from apps.core.parsing.names import control_refusal

_GUID = re.compile(r"[0-9a-f]{32}")
_MEMBERS = {"coords": refusal_by(PlaceBody()), "keyboard": refusal_by(KeyboardBody())}
_ASIDE = as_sent(ContactBody(), "email", "phone")
_WEB = re.compile(r"https?://[^\s\\\x00-\x1f\x7f]+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_OF_LETTER = {"from": str, "subject": str, "proof": str, "third": bool, "cut": bool}
MAX_OF_LETTER = 500
_MESSAGES_OF_CHAT = ("last_message_id", "dealt_with_message_id", "snoozed_after_id")
# The router's, of this installation; answers follow from their own rows.
_STAYS_OF_CHATS = ("queued_at", "offered_to_id", "offered_at", "offered_until", "answers")
_FOLLOWS_OF_CONTACTS = ("external_id", "consents")
# The number of the run whose word a message is: one of the installation that exports, which names nothing here.
_RUN = "run_id"
# In a source: the article that it is of.
_ARTICLE = "article_id"
_OF_FILE = {"id": int, "name": str, "size": int, "content_type": str}


def exported_of_widget(widget_id: int) -> Iterator[ExportTable | ExportSheet]:
    """Retention last: nothing is forgotten before all is there."""
    yield ExportTable(
        name="contacts",
        rows=Contact.objects.for_widget(widget_id),
        without=_FOLLOWS_OF_CONTACTS,
        checks={"guid": _guid_refusal, **as_sent(ContactBody(), "name", "email", "phone", "attributes")},
        aside=set_aside,
    )
    tagged = ContactTag.objects.for_widget(widget_id)
    yield ExportTable(
        name="tags", rows=Tag.objects.filter(pk__in=tagged.values("tag_id")), once="name", checks={"name": tag_refusal}
    )
    yield ExportTable(name="contact_tags", rows=tagged)
    yield ExportTable(
        name="files",
        rows=File.objects.for_widget(widget_id),
        without=("token_id",),
        stored=("storage_key",),
        checks={"name": control_refusal, "content_type": _type_refusal},
    )
    yield _chats(widget_id)
    yield _messages(widget_id)
    yield _edits(widget_id)
    yield from _ratings(widget_id)
    yield ExportTable(name="transfers", rows=Transfer.objects.for_widget(widget_id))
    yield ExportTable(
        name="steps", rows=ChatActivity.objects.for_widget(widget_id), refers={"after_message_id": "messages"}
    )
    yield ExportTable(name="blocks", rows=Block.objects.for_widget(widget_id), checks={"network": network_refusal})
    yield from _beside_chats(widget_id)
    yield ExportTable(name="retention", rows=Retention.objects.for_widget(widget_id), **RETENTION.export())
    yield from _sheets(widget_id)


def _chats(widget_id: int) -> ExportTable:
    return ExportTable(
        name="chats",
        rows=Chat.objects.for_widget(widget_id),
        refers={**dict.fromkeys(_MESSAGES_OF_CHAT, "messages"), "invitation_id": "chat_invitations"},
        later=(*_MESSAGES_OF_CHAT, "invitation_id"),
        without=_STAYS_OF_CHATS,
        checks={"translation": switch_refusal, "invitation_name": control_refusal},
    )


def set_aside(row: dict[str, Any]) -> list[str]:
    """Moves an address or a number that the API would refuse to the contact's attributes: letters and messengers tell
    some that no form takes. An attribute that is there already stays, and a value that finds no room is refused.
    """
    moved, attributes = [], row.get("attributes") or {}
    for name, check in _ASIDE.items():
        value = row.get(name)
        if not isinstance(value, str) or not value or not check(value) or not isinstance(attributes, dict):
            continue
        if attributes.get(name, value) == value and len({*attributes, name}) <= MAX_ATTRIBUTES:
            attributes = {**attributes, name: value[:MAX_ATTRIBUTE_VALUE]}
            row |= {name: "", "attributes": attributes}
            moved.append(name)
    return moved


def _ratings(widget_id: int) -> Iterator[ExportTable]:
    yield ExportTable(
        name="ratings", rows=Rating.objects.for_widget(widget_id), refers={"after_message_id": "messages"}
    )
    yield ExportTable(
        name="rating_requests",
        rows=RatingRequest.objects.for_widget(widget_id),
        refers={"after_message_id": "messages"},
        without=("digest",),  # the secret of a link, which leads to this installation
    )


def _messages(widget_id: int) -> ExportTable:
    return ExportTable(
        name="messages",
        rows=Message.objects.for_widget(widget_id),
        renumbers=_renumber_details,
        refers={"assistant_id": "assistants"},
        later=("assistant_id",),
        checks={
            "body": at_most(MAX_BODY_LENGTH),
            "markdown": at_most(MAX_BODY_LENGTH),
            "details": _details_refusal,
            "language": control_refusal,
            "page": control_refusal,
        },
    )


def _edits(widget_id: int) -> ExportTable:
    return ExportTable(
        name="message_edits",
        rows=MessageEdit.objects.for_widget(widget_id),
        renumbers=_renumber_details,
        checks={"body": at_most(MAX_BODY_LENGTH), "markdown": at_most(MAX_BODY_LENGTH), "details": _details_refusal},
    )


def _beside_chats(widget_id: int) -> Iterator[ExportTable]:
    """The console's settings, and what operators say of contacts."""
    desk = ConsoleSettings.objects.for_widget(widget_id)
    yield ExportTable(name="desk_settings", rows=desk, **SETTINGS.export())
    yield ExportTable(
        name="contact_notes", rows=ContactNote.objects.for_widget(widget_id), checks={"text": at_most(MAX_NOTE)}
    )
    yield ExportTable(name="contact_joins", rows=ContactJoin.objects.for_widget(widget_id))


def _guid_refusal(guid: str) -> str | None:
    return None if _GUID.fullmatch(guid) else "It has 32 hexadecimal digits."


def _type_refusal(type_: str) -> str | None:
    return None if type_ in FOUND_TYPES else "No file is found to be of this type."


def _details_refusal(details: Any) -> str | None:
    """Why these are no details of a message: what a visitor's browser opens, or shows, is what the API would take."""
    if not isinstance(details, dict):
        return "An object is expected."
    for name, value in details.items():
        if name in _MEMBERS:
            refusal = _MEMBERS[name](value)
        elif name == "file":
            refusal = _file_refusal(value)
        elif name == "files":
            refusal = _files_refusal(value)
        elif name == "sticker":
            refusal = _sticker_refusal(value)
        elif name == "unsupported":
            refusal = _unsupported_refusal(value)
        elif name == "letter":
            refusal = _letter_refusal(value)
        elif name == SHOWN_AS:
            refusal = None if value in (SenderKind.AGENT, SenderKind.AI) else "One of agent, ai is expected."
        elif name == SOURCES:
            refusal = _sources_refusal(value)
        elif name == BY_PERSON:
            refusal = None if value is True else "True is expected."
        elif name == _RUN:
            refusal = None if type(value) is int else "A run's number is expected."
        elif name == TRANSLATIONS:
            refusal = translations_refusal(value)
        elif name in ("edited_at", "deleted_at", "edit_seen_at"):
            refusal = _moment_refusal(value)
        elif name == "deleted_by":
            refusal = None if isinstance(value, int) and value > 0 else "An operator's id is expected."
        else:
            refusal = "There is no such member."
        if refusal:
            return f"{name}: {refusal}"
    return None


def _file_refusal(file: Any) -> str | None:
    if not isinstance(file, dict) or file.keys() != _OF_FILE.keys():
        return f"An object of {', '.join(_OF_FILE)} is expected."
    wrong = [name for name, kind in _OF_FILE.items() if not isinstance(file[name], kind)]
    if wrong:
        return f"{wrong[0]}: The value is of another kind."
    return control_refusal(file["name"]) or _type_refusal(file["content_type"])


def _files_refusal(files: Any) -> str | None:
    if not isinstance(files, list):
        return "A list is expected."
    return next(filter(None, map(_file_refusal, files)), None)


def _sources_refusal(sources: Any) -> str | None:
    """Why an AI's answer rests on no such knowledge: its titles and addresses, which a visitor's browser opens."""
    if not isinstance(sources, list):
        return "A list is expected."
    for each in sources:
        if not isinstance(each, dict) or each.keys() - {_ARTICLE} != {"title", "url"}:
            return "An object of title, url is expected."
        title, url, article_id = each["title"], each["url"], each.get(_ARTICLE, 1)
        if type(article_id) is not int or article_id < 1:
            return "An article's id is expected."
        if not isinstance(title, str) or (url is not None and not (isinstance(url, str) and _WEB.fullmatch(url))):
            return "A title and an address of the web are expected."
        if refusal := control_refusal(title):
            return refusal
    return None


def _unsupported_refusal(found: Any) -> str | None:
    if not isinstance(found, dict) or found.keys() != {"provider", "kind"}:
        return "An object of provider, kind is expected."
    if not all(isinstance(text, str) and len(text) <= MAX_KIND for text in found.values()):
        return f"Texts of at most {MAX_KIND} characters are expected."
    return None


def _letter_refusal(letter: Any) -> str | None:
    """A refusal of the letter that a message came by: its writer, and how they were proven."""
    if not isinstance(letter, dict) or letter.keys() != _OF_LETTER.keys():
        return f"An object of {', '.join(_OF_LETTER)} is expected."
    for name, kind in _OF_LETTER.items():
        if not isinstance(letter[name], kind) or (kind is str and len(letter[name]) > MAX_OF_LETTER):
            return f"{name}: The value is of another kind, or too long."
    return None if letter["proof"] in ("pass", "fail", "none") else "proof: One of pass, fail, none is expected."


def _moment_refusal(moment: Any) -> str | None:
    return None if isinstance(moment, str) and _MOMENT.fullmatch(moment) else "A moment in UTC is expected."


def _sticker_refusal(sticker: Any) -> str | None:
    if not isinstance(sticker, dict) or not all(isinstance(each, str) for each in sticker.values()):
        return "An object of texts is expected."
    return link_refusal(sticker["url"]) if "url" in sticker else None


def _renumber_details(row: dict[str, Any], look_up: LookUp) -> None:
    details = row.get("details") or {}
    if not isinstance(details, dict):
        return  # the check says so
    details.pop(_RUN, None)
    if "deleted_by" in details:
        details["deleted_by"] = look_up("agents", details["deleted_by"]) or 0
    for file in filter(None, (details.get("file"), *details.get("files", ()))):
        file["id"] = look_up("files", file["id"]) or 0  # one that has gone is named all the same
    sources = details.get(SOURCES)
    for source in sources if isinstance(sources, list) else ():
        if isinstance(source, dict) and (article_id := look_up("articles", source.pop(_ARTICLE, None))):
            source[_ARTICLE] = article_id


def _sheets(widget_id: int) -> Iterator[ExportSheet]:
    who = {"contact": "contact__guid", "name": "contact__name", "email": "contact__email", "phone": "contact__phone"}
    chat = {"number": "id", **who, "channel": "channel", "status": "status", "handling": "handling"}
    whose = {"operator": "agent__name", "department": "department__name", "rating": "newest_rating"}
    when = {"created_at": "created_at", "last_message_at": "last_message_at"}
    chats = Chat.objects.for_widget(widget_id).annotate(newest_rating=newest_rating("value"))
    yield ExportSheet(name="chats", rows=chats, columns={**chat, **whose, **when})
    rating = {"chat": "chat_id", "contact": "chat__contact__guid", "rating": "value", "comment": "comment"}
    given = {"operator": "agent__name", "rated_at": "rated_at"}
    yield ExportSheet(name="ratings", rows=Rating.objects.for_widget(widget_id), columns={**rating, **given})


EXPORT = WidgetExport(tables=exported_of_widget)

"""The content of an inbound message as it is posted: its files fetched and stored, a line for what can't be had."""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from apps import egress
from apps.accounts.models import User
from apps.chats.actions.files import mark_sent, store_file
from apps.chats.models import Contact
from apps.chats.rules import MessageType, file_refusal, link_refusal
from apps.chats.rules.messages import MAX_KIND, kept_language
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.observability import metrics
from apps.core.parsing.file_types import content_type_of
from apps.core.parsing.names import one_line
from apps.messengers.actions.provider_calls import adapter_of, wire_of
from apps.messengers.adapters.client import ProviderCallFailed, answered
from apps.messengers.labels import KIND_WORDS
from apps.messengers.models import Connection, Inbound
from apps.messengers.rules.channels import MAX_TEXT_LENGTH
from apps.messengers.rules.inbound import MAX_ATTACHMENT_BYTES, Attachment, InboundContent, lost

logger = logging.getLogger(__name__)

# Of a message: how many files are fetched, each in so many tries of so long, and how long all of them may take. The
# names of others are a message of lines.
MOST_ATTACHMENTS, FETCH_S, TRIES, ALL_S = 10, 10.0, 3, 120.0

Content = Mapping[str, Any]
FetchedFiles = Sequence[tuple[Attachment, ReceivedFile | None]]


def contents_of(
    connection: Connection,
    contact: Contact,
    content: InboundContent,
    fetched: FetchedFiles,
) -> list[Content]:
    """The contents to post: the files as one, with the text; else a place, a sticker or the text alone; and a line for
    content of a kind that is not known. A sticker whose picture was fetched is that picture, as a file.
    """
    text, contents = content.text[:MAX_TEXT_LENGTH], []
    if fetched:
        contents.append(_files_content(contact, fetched, text))
        text = ""
    if left := content.attachments[MOST_ATTACHMENTS:]:
        lines = "\n".join(lost("", given.name) for given in left)
        contents.append({"type": "text", "body": lines[:MAX_TEXT_LENGTH]})
    if content.place:
        coords = {"lat": content.place[0], "lng": content.place[1]}
        contents.append({"type": "location", "body": text, "details": {"coords": coords}})
    elif content.sticker and content.picture not in [given for given, _ in fetched]:
        sticker = {name: value for name, value in content.sticker.items() if value and not _is_bad_link(name, value)}
        contents.append({"type": "sticker", "body": text, "details": {"sticker": sticker}})
    elif text.strip():
        contents.append({"type": "text", "body": text})
    if content.unknown_kind:
        contents.append(_unknown_content(connection, content.unknown_kind))
    return [{**each, "language": kept_language(content.language)} for each in contents]


def edited_content(contact: Contact, content: InboundContent, fetched: FetchedFiles) -> Content:
    """The content that an edit gives a message: its text, with its place or its new files, where there are some."""
    text = content.text[:MAX_TEXT_LENGTH]
    if any(upload is not None for _, upload in fetched):
        return _files_content(contact, fetched, text)
    if content.place:
        coords = {"lat": content.place[0], "lng": content.place[1]}
        return {"type": "location", "body": text, "details": {"coords": coords}}
    return {"body": text}


def new_files(connection: Connection, row: Inbound, content: InboundContent) -> Sequence[Attachment]:
    """The files of an edit, where they are others than the message had by the last update of it that is still kept."""
    if not content.attachments:
        return ()
    before = Inbound.objects.for_widget(row.widget_id).last_of(row.connection_id, row.conversation, row.changes, row.pk)
    if before is None:
        return ()
    had = adapter_of(connection).content(orjson.loads(before.part or "{}")).attachments
    is_same = [one.known_as for one in had] == [one.known_as for one in content.attachments]
    return () if is_same else content.attachments


def fetched_files(connection: Connection, content: InboundContent) -> FetchedFiles:
    """The files of a message with their contents."""
    until = time.monotonic() + ALL_S
    files = [(given, fetched_file(connection, given, until)) for given in content.attachments[:MOST_ATTACHMENTS]]
    return [*files, *_sticker_picture(connection, content, until)]


def _sticker_picture(connection: Connection, content: InboundContent, until: float) -> FetchedFiles:
    """The picture of a sticker; nothing where there is none to be had: the sticker is shown by its emoji or word."""
    given = content.picture
    upload = fetched_file(connection, given, until) if given else None
    if given is None or upload is None or file_refusal(MessageType.IMAGE, content_type_of(upload.head)):
        return []
    upload.name = f"{given.name}.{content_type_of(upload.head).rpartition('/')[2]}"
    return [(given, upload)]


def _unknown_content(connection: Connection, kind: str) -> Content:
    """The line for content that is not shown here, which is counted; of an unknown kind it is logged for the people who
    run the installation.
    """
    kind = one_line(kind)[:MAX_KIND]
    metrics.MESSENGER_UNKNOWN.labels(connection.provider).inc()
    if kind not in KIND_WORDS:
        logger.warning("a message of the unknown kind %r came from %s", kind, connection.provider)
    owner = User.objects.filter(account=connection.widget.account_id, role=User.Role.OWNER, is_active=True).first()
    with translation.override(owner.mail_language if owner else settings.LANGUAGE_CODE):
        if kind in KIND_WORDS:
            # Translators: it stands in a chat, in place of a customer's message: "[Story: only Telegram shows it]".
            body = gettext("[%(kind)s: only %(messenger)s shows it]")
        else:
            # Translators: it stands in a chat, in place of a message; the value is its name at the messenger.
            body = gettext("[A message of a kind that Parley does not know: %(kind)s]")
        body %= {"kind": KIND_WORDS.get(kind, kind), "messenger": gettext(adapter_of(connection).called)}
    return {"type": "text", "body": body, "details": {"unsupported": {"provider": connection.provider, "kind": kind}}}


def _files_content(contact: Contact, fetched: FetchedFiles, text: str) -> Content:
    """The files of a message as one content; of those that could not be fetched a line each, after the text."""
    for given in (given for given, upload in fetched if upload is None):
        text = lost(text, given.name)
    kept = [(given, upload) for given, upload in fetched if upload is not None]
    if not kept:
        return {"type": "text", "body": text}
    files = [store_file(widget_id=contact.widget_id, upload=upload, contact_id=contact.pk) for given, upload in kept]
    is_image = kept[0][0].is_image and file_refusal(MessageType.IMAGE, files[0].content_type) is None
    kind = MessageType.IMAGE if is_image else MessageType.FILE
    content = {"type": kind.value, "body": text, "file_id": files[0].pk}
    if len(files) == 1:
        return content
    for file in files[1:]:
        mark_sent(widget_id=contact.widget_id, file_id=file.pk)
    about = [{name: getattr(file, name) for name in ("id", "name", "size", "content_type")} for file in files]
    return {**content, "details": {"files": about}}


def fetched_file(connection: Connection, given: Attachment, until: float) -> ReceivedFile | None:
    """A file's content; None for one that can't be had: too big, refused, gone, not within three tries, or not by
    then (`time.monotonic`)."""
    if not given.reference or (given.size or 0) > MAX_ATTACHMENT_BYTES:
        return None
    for _ in range(TRIES):
        if (left := until - time.monotonic()) <= 0:
            return None
        upload, decode = ReceivedFile(given.name), adapter_of(connection).decoder(given)
        try:
            address, headers = answered(adapter_of(connection).file_address(wire_of(connection), given))
            with egress.open_stream(
                "GET", address, headers=headers, timeout=min(FETCH_S, left), max_bytes=MAX_ATTACHMENT_BYTES, redirects=1
            ) as stream:
                for chunk in stream:
                    upload.write(decode(chunk) if decode else chunk)
                if stream.status == 200 and upload.size:
                    return upload
                return None
        except egress.EgressRefused as refused:
            if refused.is_permanent or refused.reason == "too_large":
                return None
        except ProviderCallFailed as error:
            if error.failure.code != "provider_unavailable":
                return None
    return None


def _is_bad_link(name: str, value: str) -> bool:
    return name == "url" and link_refusal(value) is not None

"""The content of an inbound message as it is posted: its files fetched and stored, a line for what can't be had."""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from apps import egress
from apps.accounts.models import User
from apps.chats.actions.files import mark_sent, store_file
from apps.chats.models import Contact
from apps.chats.rules import MessageType, file_refusal, link_refusal
from apps.chats.rules.messages import MAX_KIND
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.observability import metrics
from apps.core.parsing.names import one_line
from apps.messengers.actions.provider_calls import adapter_of, wire_of
from apps.messengers.adapters.client import ProviderCallFailed
from apps.messengers.models import Connection
from apps.messengers.rules.channels import MAX_TEXT_LENGTH
from apps.messengers.rules.inbound import MAX_ATTACHMENT_BYTES, Attachment, InboundContent, lost

logger = logging.getLogger(__name__)

# Of a message: how many files are fetched, each in so many tries of so long, and how long all of them may take. The
# names of others are a message of lines.
MOST_ATTACHMENTS, FETCH_S, TRIES, ALL_S = 10, 10.0, 3, 120.0

Content = Mapping[str, Any]


def contents_of(
    connection: Connection,
    contact: Contact,
    said: InboundContent,
    fetched: Sequence[tuple[Attachment, ReceivedFile | None]],
) -> list[Content]:
    """The contents to post: the files as one, with the text; else a place, a sticker or the text alone; and a line for
    what is of a kind that is not known.
    """
    text, contents = said.text[:MAX_TEXT_LENGTH], []
    if fetched:
        contents.append(_files_content(contact, fetched, text))
        text = ""
    if left := said.attachments[MOST_ATTACHMENTS:]:
        lines = "\n".join(lost("", given.name) for given in left)
        contents.append({"type": "text", "body": lines[:MAX_TEXT_LENGTH]})
    if said.place:
        coords = {"lat": said.place[0], "lng": said.place[1]}
        contents.append({"type": "location", "body": text, "details": {"coords": coords}})
    elif said.sticker and not contents:
        sticker = {name: value for name, value in said.sticker.items() if value and not _is_bad_link(name, value)}
        contents.append({"type": "sticker", "body": text, "details": {"sticker": sticker}})
    elif text.strip():
        contents.append({"type": "text", "body": text})
    if said.unknown_kind:
        contents.append(_unknown_content(connection, said.unknown_kind))
    return contents


def _unknown_content(connection: Connection, kind: str) -> Content:
    """The line for content of an unknown kind, which is counted, and logged for who runs the installation."""
    kind = one_line(kind)[:MAX_KIND]
    metrics.MESSENGER_UNKNOWN.labels(connection.provider).inc()
    logger.warning("a message of the unknown kind %r came from %s", kind, connection.provider)
    owner = User.objects.filter(account=connection.widget.account_id, role=User.Role.OWNER, is_active=True).first()
    with translation.override(owner.mail_language if owner else settings.LANGUAGE_CODE):
        # Translators: it stands in a chat, in place of what a customer sent; the value is its name at the messenger.
        body = gettext("[A message of a kind that Parley does not know: %(kind)s]") % {"kind": kind}
    return {"type": "text", "body": body, "details": {"unsupported": {"provider": connection.provider, "kind": kind}}}


def _files_content(contact: Contact, fetched: Sequence[tuple[Attachment, ReceivedFile | None]], text: str) -> Content:
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
            address, headers = adapter_of(connection).file_address(wire_of(connection), given)
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

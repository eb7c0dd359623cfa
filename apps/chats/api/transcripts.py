"""A chat's transcript over REST (specification, Endpoints, "Chats and messages")."""

from itertools import chain

from django.http import StreamingHttpResponse

from apps.chats.errors import INTERNAL_ROOM
from apps.chats.models import Chat
from apps.chats.querysets.transcripts import transcript_head, transcript_portions
from apps.chats.rules.transcripts import TranscriptExport
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import ApiViewSet

PLAIN_TEXT = "text/plain; charset=UTF-8"


class TranscriptViewSet(ApiViewSet):
    target = Chat
    reads = ("transcripts:read",)

    @operation(
        summary="Export a chat's transcript",
        media_type=PLAIN_TEXT,
        streams=True,
        problems=(INTERNAL_ROOM,),
    )
    def retrieve(self, context: RequestContext) -> StreamingHttpResponse:
        """The talk as plain text, oldest message first: `[2026-11-21 13:45:00] Name: text`, in Europe/Moscow; further
        lines of a message are indented. Attachments are `[file: name.ext]`, buttons `label: url`.

        Notes and whatever else is for operators only are left out. It ends with what was written when it was asked for,
        or with the line `[Экспорт ограничен безопасным размером]` after 50,000 messages or before 10 MiB are passed.
        A stream that ends without its last chunk was broken off: ask again.
        """
        head = transcript_head(widget_id=context.widget_id, chat_id=context.target_id)
        if head.is_internal:
            raise INTERNAL_ROOM()
        blocks = TranscriptExport().blocks(transcript_portions(context.target_id, head))
        # Read before the answer begins: a database that is away is still a 503.
        first = next(blocks, b"")
        headers = {"Content-Disposition": f'attachment; filename="chat-{context.target_id}-transcript.txt"'}
        return StreamingHttpResponse(chain([first], blocks) if first else (), content_type=PLAIN_TEXT, headers=headers)

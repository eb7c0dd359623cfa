"""Files over REST (specification, Endpoints, "Files")."""

from typing import Any

from django.http import HttpResponseRedirect

from apps.chats import actions
from apps.chats.errors import STORAGE_FAILED
from apps.chats.querysets import files as querysets
from apps.chats.shapes.files import FileShape, file_address, show_file
from apps.core.endpoints.operations import Call, operation
from apps.core.endpoints.serializers import Body, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND


class FileBody(Body):
    """Where the file is fetched from, instead of sending it in a form."""

    url = Text(
        max_length=2048,
        help_text="https; private and local addresses are refused, one redirect is followed. At most 10 MB.",
    )


def file_exists(call: Call) -> bool:
    return querysets.file_exists(widget_id=call.widget_id, file_id=call.path["file_id"])


class FileViewSet(ApiViewSet):
    @operation(
        scopes=("files:write",),
        summary="Upload a file",
        body=FileBody,
        upload=actions.FILE_FORM,
        answer=FileShape,
        status=201,
        problems=(STORAGE_FAILED,),
        idempotency="required",
        takes_claim=True,
        example={"url": "https://shop.example/prices.pdf"},
    )
    def create(self, call: Call) -> dict[str, Any]:
        """Keeps a file of at most 10 MB (10,485,760 bytes): sent in a form as `file`, or fetched from `url`.

        What it is, is found in its content, whatever its name says. Its `id` can be sent in messages.
        """
        known: dict[str, Any] = {"widget_id": call.widget_id, "token_id": call.caller.token_id, "claim": call.claim}
        if call.upload is not None:
            return show_file(actions.store_file(upload=call.upload, **known))
        return show_file(actions.fetch_file(url=call.body["url"], **known))

    @operation(
        scopes=("files:read",),
        summary="Download a file",
        status=302,
        problems=(NOT_FOUND,),
        target_exists=file_exists,
    )
    def retrieve(self, call: Call, file_id: int) -> HttpResponseRedirect:
        """Redirects to a signed address of the file, which is valid for an hour and needs no token."""
        if not file_exists(call):
            raise NOT_FOUND()
        return HttpResponseRedirect(file_address(file_id))

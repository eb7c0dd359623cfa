"""Files over REST (specification, Endpoints, "Files")."""

from django.http import HttpResponseRedirect

from apps.chats import actions
from apps.chats.errors import STORAGE_FAILED
from apps.chats.models import File
from apps.chats.serializers.files import FileSerializer, file_address
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Text
from apps.core.endpoints.viewsets import ApiViewSet


class FileBody(Body):
    """The file's address, as an alternative to sending it in a form."""

    url = Text(
        max_length=2048,
        help_text="https; private and local addresses are refused, one redirect is followed. At most 10 MB.",
    )


class FileViewSet(ApiViewSet):
    target = File
    reads = ("files:read",)
    writes = ("files:write",)

    @operation(
        summary="Upload a file",
        takes=FileBody,
        upload=actions.FILE_FORM,
        answers=FileSerializer,
        status=201,
        problems=(STORAGE_FAILED,),
        calls_out=True,
        example={"url": "https://shop.example/prices.pdf"},
    )
    def create(self, context: RequestContext) -> File:
        """Keeps a file of at most 10 MB (10,485,760 bytes): sent in a form as `file`, or fetched from `url`.

        Its type is detected from its content; its name does not count. Its `id` can be sent in messages.
        """
        token_id = context.caller.token_id
        if context.upload is None:
            return actions.fetch_file(url=context.body["url"], token_id=token_id, outbound=context.outbound)
        return actions.store_file(
            widget_id=context.widget_id, upload=context.upload, token_id=token_id, lock=context.lock
        )

    @operation(summary="Download a file", status=302)
    def retrieve(self, context: RequestContext) -> HttpResponseRedirect:
        """Redirects to a signed address of the file, which is valid for an hour and needs no token.

        The document of an invoice is there for a token that has `billing:read`, too.
        """
        File.objects.for_widget(context.widget_id).readable_with(context.caller.scopes).get_or_404(pk=context.target_id)
        return HttpResponseRedirect(file_address(context.widget_id, context.target_id))

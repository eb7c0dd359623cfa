"""Files that operators send, and those of their visitors."""

from django.http import HttpResponseRedirect

from apps.chats import actions
from apps.chats.errors import STORAGE_FAILED
from apps.chats.models import File
from apps.chats.serializers.files import FileSerializer, file_address
from apps.console.authentication import SessionAuthenticator
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet


class ConsoleFileViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = File

    @operation(
        summary="Upload a file",
        upload=actions.FILE_FORM,
        answers=FileSerializer,
        status=201,
        problems=(STORAGE_FAILED,),
    )
    def create(self, context: RequestContext) -> File:
        """Keeps a file of at most 10 MB, to be sent by its `id` in a message of the websocket."""
        assert context.upload is not None  # noqa: S101 - the operation takes nothing else
        return actions.store_file(widget_id=context.widget_id, upload=context.upload)

    @operation(summary="Download a file", status=302)
    def retrieve(self, context: RequestContext) -> HttpResponseRedirect:
        """Redirects to a signed address of the file: the page, which is open all day, keeps none that ends."""
        File.objects.for_widget(context.widget_id).attachments().get_or_404(pk=context.target_id)
        return HttpResponseRedirect(file_address(context.widget_id, context.target_id))

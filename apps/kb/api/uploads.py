"""Uploaded documents over REST (specification, Endpoints, "Knowledge base")."""

from apps.chats.errors import STORAGE_FAILED
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Choice
from apps.core.endpoints.viewsets import ApiViewSet
from apps.kb.actions import uploads as actions
from apps.kb.errors import KB_UPLOAD_BUSY
from apps.kb.models import Upload
from apps.kb.rules.uploads import UploadState
from apps.kb.serializers.uploads import DeletedUploadSerializer, UploadSerializer


class UploadListQuery(PageQuery):
    """The filters of the list of documents."""

    state = Choice(required=False, choices=[state.value for state in UploadState])


class UploadViewSet(ApiViewSet):
    target = Upload
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(summary="List uploaded documents", answers=UploadSerializer, filters=UploadListQuery, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The documents of the knowledge base, newest first, and how far each is."""
        return context.page(Upload.objects.for_widget(context.widget_id))

    @operation(
        summary="Upload a document",
        upload=actions.UPLOAD_FORM,
        answers=UploadSerializer,
        status=202,
        problems=(STORAGE_FAILED,),
        calls_out=True,
    )
    def create(self, context: RequestContext) -> Answer:
        """Keeps a document of at most 10 MB, and has its text taken out, cut into rules and embedded.

        Text, Markdown, CSV, HTML, PDF, .docx, .odt, .xlsx or .ods; what it is, is found in its content, of texts by
        the name. Poll `GET /v1/kb/uploads/{id}` until its `state` is `ready` or `failed`.
        """
        assert context.upload is not None  # noqa: S101 - it takes nothing else
        return actions.store_upload(widget_id=context.widget_id, upload=context.upload, lock=context.lock)

    @operation(summary="Read an uploaded document", answers=UploadSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """How far a document is. `failed` says why in `error`, and keeps the file."""
        return context.target

    @operation(summary="Delete an uploaded document", answers=DeletedUploadSerializer, problems=(KB_UPLOAD_BUSY,))
    def destroy(self, context: RequestContext) -> Answer:
        """Deletes the document, its stored file and its rules. While its text is being taken out it is a 409."""
        deleted = actions.delete_upload(widget_id=context.widget_id, upload_id=context.target_id)
        return {"id": deleted.id, "deleted_rules": deleted.deleted_rules}

from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.kb.api.uploads import UploadViewSet

urlpatterns = [
    path("kb/uploads", UploadViewSet.as_view({"get": "list", "post": "create"})),
    path("kb/uploads/<id:upload_id>", UploadViewSet.as_view({"get": "retrieve", "delete": "destroy"})),
]

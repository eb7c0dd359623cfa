"""What files look like on the wire."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from apps.chats.models import File
from apps.core.endpoints.serializers import Shape
from apps.core.files import signed_addresses

# What the signed addresses of files are signed for.
PURPOSE = "file"


def file_address(file_id: int) -> str:
    """A signed address of the file, valid for an hour or a little more. Asks nobody: it is made of the id alone."""
    return f"{settings.PUBLIC_URL}/files/{signed_addresses.seal(PURPOSE, file_id)}"


def file_reference(file: File) -> dict[str, Any]:
    """The file in a message, as it is kept with the message."""
    return {"id": file.pk, "name": file.name, "size": file.size, "content_type": file.content_type}


def show_file(file: File) -> dict[str, Any]:
    """A file's wire shape."""
    return {**file_reference(file), "url": file_address(file.pk), "created_at": file.created_at}


class FileReferenceShape(Shape):
    """The file of an `image` or `file` message."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="The original name.")
    size = serializers.IntegerField(help_text="Bytes.")
    content_type = serializers.CharField(help_text="Found in the content.")


class FileShape(FileReferenceShape):
    """A file."""

    url = serializers.URLField(help_text="Where it can be downloaded without a token, for an hour.")
    created_at = serializers.DateTimeField()

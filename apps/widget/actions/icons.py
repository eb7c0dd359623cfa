"""Own icons of the launcher: judged by their headers, decoded whole, and encoded again without metadata."""

from io import BytesIO

from django.db import transaction

from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile, UploadForm
from apps.core.errors import INVALID_INPUT
from apps.core.files import storage
from apps.core.parsing.pictures import NotAPicture
from apps.widget.actions.animations import Remade, redrawn
from apps.widget.errors import WIDGET_ICON_IN_USE, WIDGET_ICON_STORAGE_FAILED, WIDGET_ICONS_FULL
from apps.widget.models import Icon, WidgetSettings
from apps.widget.rules import icons
from apps.widget.rules.settings import effective, icons_of

ICON_FORM = UploadForm(max_bytes=icons.MAX_BYTES)


def store_icon(*, upload: ReceivedFile, outbound: ExternalCall) -> Icon:
    """Keeps an uploaded icon for the widget: a static PNG, or an animated WebP or GIF.

    Raises INVALID_INPUT (422) on `file` for anything else; WIDGET_ICONS_FULL, IDEMPOTENCY_KEY_REUSED (409),
    WIDGET_ICON_STORAGE_FAILED (502), TRY_AGAIN (503): then nothing is kept, and the key is free.
    """
    upload.rewind()
    try:
        remade = redrawn(
            upload.content,
            sides=(icons.LEAST_SIDE, icons.MOST_SIDE),
            most_frames=icons.MOST_FRAMES,
            most_pixels=icons.MOST_PIXELS,
        )
    except NotAPicture as error:
        raise INVALID_INPUT(errors={ICON_FORM.part: [str(error)]}) from None
    try:
        return _stored(remade, outbound)
    except storage.StorageFailed:
        raise WIDGET_ICON_STORAGE_FAILED() from None


def _stored(remade: Remade, outbound: ExternalCall) -> Icon:
    """The row of what was made, whose bytes are in the storage before it is written."""
    contents = [remade.content, *([] if remade.still is None else [remade.still])]
    with storage.stored_together([BytesIO(content) for content in contents]) as keys:
        if outbound.lock is not None:
            outbound.lock.take()
        icon = _created(outbound.widget_id, remade, keys[0], keys[1] if len(keys) > 1 else "")
        outbound.made(icon.pk)
        return icon


def _created(widget_id: int, remade: Remade, key: str, still_key: str) -> Icon:
    WidgetSettings.objects.bulk_create([WidgetSettings(widget_id=widget_id)], ignore_conflicts=True)
    WidgetSettings.objects.for_widget(widget_id).get_for_update()  # so that simultaneous uploads count each other
    if Icon.objects.for_widget(widget_id).count() >= icons.MOST_ICONS:
        raise WIDGET_ICONS_FULL()
    icon = Icon.objects.create(
        widget_id=widget_id,
        key=key,
        still_key=still_key,
        content_type=remade.content_type,
        animated=remade.still is not None,
        width=remade.width,
        height=remade.height,
        size=len(remade.content),
    )
    icon.refresh_from_db(fields=["created_at"])
    return icon


@transaction.atomic
def delete_icon(*, widget_id: int, icon_id: int) -> None:
    """Deletes an own icon, whose bytes are swept. Raises NOT_FOUND (404), WIDGET_ICON_IN_USE (409)."""
    icon = Icon.objects.for_widget(widget_id).select_for_update().get_or_404(pk=icon_id)
    row = WidgetSettings.objects.for_widget(widget_id).first()
    if row is not None and str(icon) in icons_of(effective(row.stored, legacy=row.legacy)).values():
        raise WIDGET_ICON_IN_USE()
    icon.delete()

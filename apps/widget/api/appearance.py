"""The look of a widget, and the code that puts it on a website (specification, Endpoints, "Widget settings")."""

from django.templatetags.static import static

from apps.accounts.questions import entitlements_of
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet
from apps.widget.actions.icons import ICON_FORM, store_icon
from apps.widget.actions.settings import PURGES, purge
from apps.widget.errors import WIDGET_ICON_STORAGE_FAILED, WIDGET_ICONS_FULL
from apps.widget.querysets.public_config import absolute, embed_of
from apps.widget.querysets.settings import icon_answer, settings_of
from apps.widget.rules import icons, skins
from apps.widget.serializers.settings import (
    EmbedSerializer,
    IconPresetSerializer,
    IconSerializer,
    PurgedSerializer,
    SkinSerializer,
)


class AppearanceViewSet(ApiViewSet):
    reads = ("widget:read",)
    writes = ("widget:write",)

    @operation(summary="List skins", answers=SkinSerializer, lists="whole")
    def skins(self, context: RequestContext) -> Page:
        """The colours that a widget may have; premium ones need a paid plan when they are chosen."""
        paid = entitlements_of(context.widget_id).paid
        return context.whole(
            {"id": skin.id, "name": skin.name, "premium": skin.premium, "available": paid or not skin.premium}
            for skin in skins.SKINS
        )

    @operation(summary="List icons", answers=IconPresetSerializer, lists="whole")
    def icons(self, context: RequestContext) -> Page:
        """The launcher's icons that every widget has; those of its own are not listed."""
        return context.whole(
            {"id": id_, "name": name, "url": absolute(static(f"widget/icons/{id_}.svg"))}
            for id_, name in icons.NAMES.items()
        )

    @operation(
        summary="Upload an icon",
        upload=ICON_FORM,
        answers=IconSerializer,
        status=201,
        problems=(WIDGET_ICONS_FULL, WIDGET_ICON_STORAGE_FAILED),
        calls_out=True,
    )
    def upload_icon(self, context: RequestContext) -> Answer:
        """A static PNG, or an animated WebP or GIF: at most 512 KB, 16 to 1,024 pixels a side, 120 frames.

        Its type is detected from its content; it is encoded again without metadata. `id` is what `icon_preset` takes.
        """
        assert context.upload is not None  # noqa: S101 - it takes nothing else
        return icon_answer(store_icon(upload=context.upload, outbound=context.outbound))

    @operation(summary="Read the script tag", answers=EmbedSerializer)
    def embed(self, context: RequestContext) -> Answer:
        """The code to paste into a website's pages, and the origins that their Content-Security-Policy has to allow."""
        return embed_of(settings_of(context.widget_id).guid)

    @operation(summary="Purge the served widget", answers=PurgedSerializer, limits=(PURGES,))
    def purge(self, context: RequestContext) -> Answer:
        """Makes every browser read the widget's config again. Nothing is cached here, so no change needs it.

        6 in any minute.
        """
        return {"purged_at": purge(widget_id=context.widget_id).purged_at}

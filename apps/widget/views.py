"""The demo page, and icons at their addresses."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.accounts.models import Widget
from apps.core.endpoints.pictures import picture_response
from apps.widget.errors import WIDGET_ICON_STORAGE_FAILED
from apps.widget.models import Icon
from apps.widget.shop_page import shop_page, strict_policy


@strict_policy
@require_safe
def demo_page(request: HttpRequest) -> HttpResponse:
    """A made-up shop with the installation's first widget, under a strict Content-Security-Policy."""
    widget = Widget.objects.order_by("id").first()
    if widget is None:
        raise Http404
    return shop_page(request, widget)


def icon(request: HttpRequest, icon_id: int, name: str) -> HttpResponse:
    """An own icon of a widget, or its first frame, for everybody."""
    return picture_response(
        request,
        f"{name[:2]}/{name[2:]}",
        partial(_content_type, icon_id),
        gone="The icon's content is gone.",
        failed=WIDGET_ICON_STORAGE_FAILED,
    )


def _content_type(icon_id: int, key: str) -> str | None:
    found = Icon.objects.unscoped("public: the address names the icon's picture").filter(pk=icon_id).first()
    if found is None or key not in (found.key, found.still_key):
        return None
    return found.content_type if key == found.key else "image/png"

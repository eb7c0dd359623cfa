"""The page of the shop whose AI is played."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.accounts.models import Widget
from apps.demo.data.played import guid
from apps.widget.shop_page import shop_page, strict_policy


@strict_policy
@require_safe
def played_shop(request: HttpRequest) -> HttpResponse:
    """The demo's shop with its third widget; it says that the model is played."""
    widget = Widget.objects.filter(guid=guid()).first()
    if widget is None:
        raise Http404
    return shop_page(request, widget, is_played=True)

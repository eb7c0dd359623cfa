"""The base of pages with an address that the service will call."""

from typing import Any, ClassVar

from django.http import HttpRequest

from apps.cabinet.tenant_admin import TenantAdmin


class OutboundAddressAdmin(TenantAdmin):
    """An admin that looks up an address that is sent before the page's transaction begins, for who may send it.

    Its form has the outcome as `looked_up`.
    """

    address_field: ClassVar[str] = "url"

    def look_up(self, url: str, row: Any, widget_id: str) -> Any:
        """The outcome of looking up an address for a row, or (None) for a new one of that widget."""
        raise NotImplementedError

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        if request.method == "POST":
            row = self.get_object(request, object_id) if object_id else None
            may = self.has_change_permission(request, row) if object_id else self.has_add_permission(request)
            if may:
                url, widget_id = request.POST.get(self.address_field, "").strip(), request.POST.get("widget", "")
                request.looked_up = self.look_up(url, row, widget_id)  # type: ignore[attr-defined]
        return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        form = super().get_form(request, obj, change, **options)
        form.looked_up = getattr(request, "looked_up", None)
        return form

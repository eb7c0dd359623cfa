"""The cabinet's one form of a new customer: account, owner by invitation, widget, plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminEmailInputWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from apps.accounts.actions.customers import open_customer, plan_offer
from apps.accounts.actions.users import seen_language
from apps.accounts.credentials import path_of_new_password
from apps.accounts.models import Account, User

if TYPE_CHECKING:
    from apps.cabinet.tenant_admin import TenantAdmin

MAX_SEATS = 1000


class CustomerForm(forms.Form):
    """A new customer."""

    email = forms.EmailField(
        label=_("E-mail of the owner"),
        max_length=254,
        widget=UnfoldAdminEmailInputWidget,
        help_text=_("The account is known by it. The owner gets a mail to choose a password."),
    )
    name = forms.CharField(label=_("Name of the owner"), max_length=255, widget=UnfoldAdminTextInputWidget)
    widget_name = forms.CharField(
        label=_("Name of the widget"),
        max_length=255,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Such as the name of the shop."),
    )
    seats = forms.IntegerField(
        label=_("Seats"), min_value=1, max_value=MAX_SEATS, initial=3, widget=UnfoldAdminIntegerFieldWidget
    )
    language = forms.ChoiceField(
        label=_("Language of the owner"),
        required=False,
        choices=lambda: User._meta.get_field("language").flatchoices,
        initial=lambda: seen_language(get_language() or ""),
        widget=UnfoldAdminSelectWidget,
        help_text=_("Of the mail and of the widget's own texts; the owner can change both."),
    )
    plan = forms.ChoiceField(label=_("Plan"), required=False, widget=UnfoldAdminSelectWidget)
    intent = forms.CharField(initial=lambda: uuid4().hex, widget=forms.HiddenInput, max_length=64)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        offer = plan_offer()
        choices = offer.choices() if offer else ()
        if choices:
            self.fields["plan"].choices = [("", gettext("none yet")), *choices]  # type: ignore[attr-defined]
            self.fields["plan"].help_text = _("It is given without a payment; no money moves.")
        else:
            del self.fields["plan"]

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if Account.objects.filter(email__iexact=email).exists() or User.objects.filter(email__iexact=email).exists():
            raise forms.ValidationError(_("Somebody signs in with this address already, or an account has it."))
        return email


def customer_page(page: TenantAdmin, request: HttpRequest) -> HttpResponse:
    """The form at a GET; at a POST all of it is made, or it is said why not."""
    form = CustomerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        try:
            widget = open_customer(
                account=Account(email=wanted["email"], name=wanted["name"]),
                owner_name=wanted["name"],
                widget_name=wanted["widget_name"],
                seats=wanted["seats"],
                plan=wanted.get("plan", ""),
                reference=wanted["intent"],
                path_of=path_of_new_password,
                language=wanted["language"] or get_language() or "en",
            )
        except ValueError as refused:
            form.add_error(None, gettext(str(refused)))
        else:
            messages.success(request, gettext("The account is open, and %(email)s has mail.") % wanted)
            return HttpResponseRedirect(reverse("admin:accounts_widget_change", args=[widget.pk]))
    context = {
        **page.admin_site.each_context(request),
        "opts": page.opts,
        "title": gettext("A new customer"),
        "form": form,
        "button": gettext("Open the account"),
        "back": reverse("admin:accounts_account_changelist"),
    }
    return TemplateResponse(request, "admin/simple_form.html", context)

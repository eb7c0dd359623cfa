"""The cabinet's forms for tokens and widgets: their fields, and how these are drawn."""

from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.accounts import querysets, rules
from apps.accounts.models import Account, ApiToken, User, Widget
from apps.core import plugins
from apps.core.endpoints.routing import routed_operations


class ScopeCheckboxes(forms.CheckboxSelectMultiple):
    """A checkbox for each scope, by group, sensitive ones marked; buttons that replace the whole selection."""

    template_name = "accounts/scopes.html"

    class Media:
        css = {"all": ["accounts/scopes.css"]}
        js = [forms.Script("accounts/scopes.js", defer=True)]

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        offered = {name for _, group in self.choices for name, _ in group}
        known = {name: scope for name, scope in plugins.scopes().items() if name in offered}
        presets = [
            (self._titled(preset), rules.preset_scopes(preset.name, known)) for preset in plugins.scope_presets()
        ]
        return {
            **super().get_context(name, value, attrs),
            "presets": [(title, " ".join(scopes)) for title, scopes in [*presets, (pgettext("no scopes", "None"), [])]],
        }

    def _titled(self, preset: plugins.ScopePreset) -> str:
        """The title of a preset; marked while no operation asks for any of its scopes."""
        title = gettext(preset.title)
        if scopes_in_use().isdisjoint(rules.preset_scopes(preset.name, plugins.scopes())):
            return gettext("%(preset)s (not used yet)") % {"preset": title}
        return title

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        return option | {"scope": plugins.scopes()[str(value)], "is_used": str(value) in scopes_in_use()}


@cache
def scopes_in_use() -> frozenset[str]:
    """The scopes that some routed operation asks for. The others can be granted, for what is still to come."""
    return frozenset(scope for routed in routed_operations() for scope in routed.operation.scopes)


def scope_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every grantable scope under the heading of its group."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for scope in plugins.scopes().values():
        groups.setdefault(gettext(scope.group), []).append((scope.name, scope.name))
    return list(groups.items())


class LocalTimeInput(UnfoldAdminTextInputWidget):  # type: ignore[misc] # unfold has no types
    """A moment, with the time zone in which it is read below it."""

    input_type = "datetime-local"
    template_name = "accounts/local_time.html"


class IssueTokenForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The form of a new token."""

    scopes = forms.MultipleChoiceField(
        label=capfirst(_("scopes")),
        choices=scope_choices,
        widget=ScopeCheckboxes,
        error_messages={"required": _("Choose what the token may do. A token without scopes may do nothing.")},
        help_text=_("What the token may do."),
    )
    expires = forms.DateTimeField(
        label=capfirst(_("expires")),
        required=False,
        widget=LocalTimeInput,
        help_text=_("None set means never."),
    )

    class Meta:
        model = ApiToken
        fields = ["name", "widget", "scopes"]

    def clean_expires(self) -> datetime | None:
        expires: datetime | None = self.cleaned_data["expires"]
        if expires is not None and expires <= timezone.now():
            raise ValidationError(_("This time is over already: the token would be of no use."))
        return expires


def scope_choices_of_managers() -> list[tuple[str, list[tuple[str, str]]]]:
    """The same without the scopes that owners alone grant."""
    known = plugins.scopes()
    groups = [(group, [name for name in names if not known[name[0]].owners_only]) for group, names in scope_choices()]
    return [(group, names) for group, names in groups if names]


class ManagersTokenForm(IssueTokenForm):
    """The same for who may not grant what moves the account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        scopes: Any = self.fields["scopes"]
        scopes.choices = scope_choices_of_managers
        scopes.help_text = _("What the token may do. Scopes that change the account itself are granted by its owners.")


class OriginsField(forms.CharField):
    """Origins, one a line. Cleans to a list of them as a browser writes them."""

    widget = UnfoldAdminTextareaWidget(attrs={"rows": 4, "placeholder": "https://shop.example"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override] # the field's value is a list
        origins, wrong = [], []
        for line in (super().to_python(value) or "").split():
            try:
                origins.append(rules.origin_of(line))
            except ValueError:
                wrong.append(line)
        if wrong:
            raise ValidationError(
                _("Not an origin such as https://shop.example: %(lines)s"), params={"lines": ", ".join(wrong)}
            )
        return list(dict.fromkeys(origins))

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or []))
        except ValidationError:
            return True


class AccountForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """An account's profile."""

    class Meta:
        model = Account
        fields = ["email", "name", "surname", "phone", "referred_by"]

    def clean_phone(self) -> str:
        phone = str(self.cleaned_data["phone"])
        if phone and not rules.is_phone(phone):
            raise ValidationError(_("A phone is an optional +, a digit, then digits, spaces, parentheses or hyphens."))
        return phone


class DeleteAccountForm(forms.Form):
    """The questions before an account goes: its e-mail address, typed, and the password of its deleter."""

    name = forms.CharField(
        label=_("The account's e-mail address"),
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text=_("Type it, so that it is not another account."),
    )
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, account: Account, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.account, self.user = account, user
        if not user.has_usable_password():  # who signs in by a provider alone
            del self.fields["password"]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if name.casefold() != self.account.email.casefold():
            raise ValidationError(_("This is not the account's e-mail address."))
        return name

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise ValidationError(_("This is not your password."))
        return password


class NewUserForm(BaseUserCreationForm):  # type: ignore[type-arg] # takes none when it runs
    """The form of a new person who may sign in."""

    class Meta:
        model = User
        fields = ["email", "name", "surname", "account", "is_staff", "role"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].required = False  # none chosen is the least
        for name in ("password1", "password2"):
            self.fields[name].widget = UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"})

    def clean_role(self) -> str:
        return self.cleaned_data["role"] or User.Role.VIEWER


class ColleagueForm(forms.Form):
    """The form of an invitation to the cabinet: address and role. Whether the address is known is not said."""

    email = forms.EmailField(label=_("E-mail address"), max_length=254, widget=UnfoldAdminTextInputWidget)
    role = forms.ChoiceField(
        label=capfirst(_("role")),
        choices=User.Role.choices,
        initial=User.Role.VIEWER,
        required=False,  # none chosen is the least
        widget=UnfoldAdminSelectWidget,
        help_text=User._meta.get_field("role").help_text,
    )

    def clean_role(self) -> str:
        return self.cleaned_data["role"] or User.Role.VIEWER


class PersonForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The form of a person who may sign in."""

    class Meta:
        model = User
        fields = ["name", "surname", "role", "is_staff", "is_active"]

    def clean(self) -> dict[str, Any] | None:
        wanted = super().clean() or self.cleaned_data
        may = {name: wanted.get(name, getattr(self.instance, name)) for name in ("role", "is_staff", "is_active")}
        if not rules.is_owner(**may) and querysets.is_last_owner(self.instance):
            raise ValidationError(_("An account keeps one active owner: make somebody else an owner first."))
        return wanted


MAX_OWN_WIDGETS = 10


class NewWidgetForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A new widget, with the person who owns it."""

    owner = forms.ModelChoiceField(
        label=capfirst(_("owner")),
        queryset=User.objects.exclude(account=None),
        widget=UnfoldAdminSelectWidget,
        help_text=_("One of the account's people. The owner is the widget's first operator, and takes a seat."),
    )

    class Meta:
        model = Widget
        fields = ["account", "name", "seats"]

    def clean(self) -> dict[str, Any] | None:
        wanted = super().clean() or self.cleaned_data
        account, owner = wanted.get("account"), wanted.get("owner")
        if account and owner and owner.account_id != account.pk:
            self.add_error("owner", _("The owner is one of the account's people."))
        return wanted


class OwnWidgetForm(NewWidgetForm):
    """A widget that an owner adds to their own account: with one seat, its owner's; more are the installation's."""

    class Meta(NewWidgetForm.Meta):
        fields = ["account", "name"]

    def clean(self) -> dict[str, Any] | None:
        wanted = super().clean() or self.cleaned_data
        account = wanted.get("account")
        if account and account.widgets.count() >= MAX_OWN_WIDGETS:
            text = _("An account adds up to %(most)d widgets itself. Ask whoever runs the service for more.")
            raise ValidationError(text, params={"most": MAX_OWN_WIDGETS})
        return wanted


class WidgetForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A widget's own fields; how it looks is set elsewhere."""

    allowed_origins = OriginsField(
        label=capfirst(_("allowed origins")),
        required=False,
        help_text=_("Origins whose pages may embed the widget, one a line. None set means all."),
    )

    time_zone = forms.ChoiceField(
        label=capfirst(_("time zone")),
        required=False,
        choices=[(name, name) for name in sorted(available_timezones()) if "/" in name],
        widget=UnfoldAdminSelectWidget,
        help_text=_("Of the departments' hours, such as Europe/Berlin."),
    )

    class Meta:
        model = Widget
        fields = ["name", "api_enabled", "allowed_origins", "time_zone", "seats"]


class WidgetChoiceForm(forms.Form):
    """A form that asks which widget it is for; the only one is chosen."""

    widget = forms.ModelChoiceField(
        queryset=Widget.objects.none(), label=capfirst(_("widget")), widget=UnfoldAdminSelectWidget
    )

    def __init__(self, *args: Any, widgets: QuerySet[Widget], **options: Any) -> None:
        super().__init__(*args, **options)
        field: Any = self.fields["widget"]
        field.queryset = widgets
        few = list(widgets[:2])
        field.initial = few[0] if len(few) == 1 else None

"""The forms of a person who follows an invitation: to a widget, or to the cabinet."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate, password_validation
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from apps.accounts import rules, sign_in_limits, sign_on
from apps.accounts.models import User

MAX_PASSWORD = 1024


class PersonName(forms.CharField):
    """A name as people write it, emoji and all, of at most 255 characters: nothing in it that can't be seen."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=rules.MAX_NAME_LENGTH, **options)

    def validate(self, value: str) -> None:
        super().validate(value)
        if rules.has_unseen_characters(value) or (value and rules.is_blank(value)):
            raise ValidationError(_("Characters that can't be seen are not allowed."), code="unseen")


class NewPersonForm(forms.Form):
    """The form of a person without an account."""

    name = PersonName(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "given-name"}))
    surname = PersonName(
        label=_("Surname (optional)"), required=False, widget=forms.TextInput(attrs={"autocomplete": "family-name"})
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=MAX_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, data: Any = None, *, email: str) -> None:
        super().__init__(data, label_suffix="")
        self.fields["password"].help_text = password_validation.password_validators_help_text_html()
        self._email = email

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        person = User(email=self._email, name=said.get("name", ""), surname=said.get("surname", ""))
        if "password" in said:
            try:
                password_validation.validate_password(said["password"], person)
            except ValidationError as refusal:
                self.add_error("password", refusal)
        return said


class TooManyAttempts(Exception):
    """The address or the person has no attempt to sign in left, for so many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class KnownPersonForm(forms.Form):
    """The form of a person who has an account with the invited address: they go on with its password."""

    password = forms.CharField(
        label=_("Password"),
        max_length=MAX_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    user: User | None = None

    def __init__(self, data: Any = None, *, email: str, request: HttpRequest) -> None:
        super().__init__(data, label_suffix="")
        self._email, self._request = email, request

    def clean_password(self) -> str:
        """The password, which is that of `user` from now on. Raises TooManyAttempts before it is looked at."""
        password: str = self.cleaned_data["password"]
        if wait_s := sign_in_limits.seconds_until_next_attempt(self._request, self._email):
            raise TooManyAttempts(wait_s)
        user = authenticate(self._request, username=self._email, password=password)
        if not isinstance(user, User):
            raise ValidationError(_("This is not the password of the account."), code="wrong")
        self.user = user
        return password


class VouchedPersonForm(KnownPersonForm):
    """The form of a person who has come by the provider of the sign-in: it has vouched for them, nothing is asked."""

    password = None  # type: ignore[assignment] # takes the field away

    def __init__(self, data: Any = None, *, user: User, request: HttpRequest) -> None:
        super().__init__(data, email=user.email, request=request)
        self.user = user


def provider_of(form: forms.Form) -> str:
    """The name of the provider by which a known person may prove themselves in place of the password; "" for none."""
    may = settings.OIDC_ISSUER and isinstance(form, KnownPersonForm) and not isinstance(form, VouchedPersonForm)
    return str(settings.OIDC_NAME) if may else ""


def sent_to_provider(request: HttpRequest) -> HttpResponse | None:
    """Sends the browser to the provider, which sends it back to this page; None where that was not asked for.

    Asked by a query, so that the page's address, which is a secret, stands in no other. Raises ProviderAway.
    """
    if not settings.OIDC_ISSUER or request.GET.get("by") != "provider":
        return None
    return sign_on.way_to_provider(then=request.path)


def form_of_invited(email: str, data: Any, *, request: HttpRequest) -> KnownPersonForm | NewPersonForm:
    """The form for an invited address: with an account, or without one yet."""
    try:
        user = User.objects.get_by_natural_key(email)
    except User.DoesNotExist:
        return NewPersonForm(data, email=email)
    if request.user.pk == user.pk and getattr(request.user, "by_provider", False):
        return VouchedPersonForm(data, user=user, request=request)
    return KnownPersonForm(data, email=email, request=request)

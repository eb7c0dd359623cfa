"""Signing in."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.console import querysets


class SignInForm(AuthenticationForm):
    """An e-mail address and a password. After it is valid, `operators` says what the person is at their widgets."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("The e-mail address or the password is wrong."),
        "no_operator": _("You are not an operator of any widget. Ask its owner to invite you."),
    }
    operators: list[Agent]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.label = _("E-mail address")
        name.widget = forms.EmailInput(attrs={"autofocus": True, "autocomplete": "username", "maxlength": 254})

    def confirm_login_allowed(self, user: Any) -> None:
        """Lets in operators, and staff, who are led to the cabinet."""
        super().confirm_login_allowed(user)
        person: User = user
        self.operators = querysets.operators_of(person.pk)
        if not self.operators and not person.is_staff:
            raise ValidationError(self.error_messages["no_operator"], code="no_operator")

"""Pages of one's own password, whichever frame they are drawn in."""

from typing import Any

from django.contrib import auth
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts import actions, attempts


class OwnPassword(PasswordChangeView):
    """A page of one's own password, by the old one, of which there are as few tries as at signing in.

    Everything that is open elsewhere in its name is closed at once; this session goes on.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait = attempts.seconds_until_next_attempt(request, request.user.get_username())
        return self.too_many(wait) if wait else super().post(request, *args, **kwargs)

    def too_many(self, seconds: int) -> HttpResponse:
        """The refusal of one more try (429)."""
        raise NotImplementedError

    def form_valid(self, form: Any) -> HttpResponse:
        """Through our action: the form's own `save` would write the whole row as it was read."""
        try:
            actions.change_password(user=form.user, password=form.cleaned_data["new_password1"])
        except actions.PasswordReplaced:
            form.add_error("old_password", form.error_messages["password_incorrect"])
            return self.form_invalid(form)
        auth.update_session_auth_hash(self.request, form.user)
        return redirect(self.get_success_url())

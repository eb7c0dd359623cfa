"""Named reads of what the page is told before it has a socket."""

from django.apps import apps as django_apps

from apps.accounts.models import Widget
from apps.chats.models import Chat

# Without the app there are no reports, and no weekly letter.
HAS_REPORTS = django_apps.is_installed("apps.reports")


def is_first_widget(widget_id: int) -> bool:
    """Whether no widget of the installation is older."""
    return not Widget.objects.filter(pk__lt=widget_id).exists()


def has_chats(widget_id: int) -> bool:
    """Whether anybody has ever written to the widget."""
    return Chat.objects.for_widget(widget_id).exists()

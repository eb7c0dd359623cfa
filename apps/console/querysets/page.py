"""Named reads of what the page is told before it has a socket."""

from django.apps import apps as django_apps

from apps.accounts.models import Widget
from apps.chats.models import Chat

# Apps that may be left out: with each go its calls, and its parts of the page.
HAS_CARDS = django_apps.is_installed("apps.cards")
HAS_LETTERS = django_apps.is_installed("apps.letters")
HAS_REPORTS = django_apps.is_installed("apps.reports")
HAS_REVIEWS = django_apps.is_installed("apps.reviews")


def is_first_widget(widget_id: int) -> bool:
    """Whether no widget of the installation is older."""
    return not Widget.objects.filter(pk__lt=widget_id).exists()


def has_chats(widget_id: int) -> bool:
    """Whether anybody has ever written to the widget."""
    return Chat.objects.for_widget(widget_id).exists()

"""The versions of a widget's scorecard."""

from apps.reviews.labels import default_criteria
from apps.reviews.models import Scorecard

FIRST = 1


def scorecard_of(widget_id: int) -> Scorecard:
    """The newest version of a widget's scorecard; the defaults, as version 1, without a row."""
    newest = Scorecard.objects.for_widget(widget_id).order_by("-version").first()
    return newest or _defaults(widget_id)


def scorecard_version(widget_id: int, version: int) -> Scorecard | None:
    """A version of a widget's scorecard; None if there was none."""
    found = Scorecard.objects.for_widget(widget_id).filter(version=version).first()
    return _defaults(widget_id) if found is None and version == FIRST else found


def _defaults(widget_id: int) -> Scorecard:
    return Scorecard(widget_id=widget_id, version=FIRST, criteria=default_criteria())

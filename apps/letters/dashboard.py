"""The letters that wait for an owner's word, on the cabinet's front page: nobody looks into a list that is empty."""

from django.urls import reverse
from django.utils.translation import gettext

from apps.core.cabinet import Board, Dashboard, Figure
from apps.letters.models import InLetter
from apps.letters.rules.mailboxes import LetterKind


def figures(board: Board) -> list[Figure]:
    """One for parked letters, while there are any: they go after a week. Index: letters_inletter_list."""
    if board.widget_id is None:
        return []
    parked = InLetter.objects.for_widget(board.widget_id).filter(kind=LetterKind.PARKED).count()
    if not parked:
        return []
    return [
        Figure(
            title=gettext("E-mails over a limit"),
            value=str(parked),
            note=gettext("They wait for your word, and go after a week."),
            address=f"{reverse('admin:letters_inletter_changelist')}?kind__exact={LetterKind.PARKED}",
            is_alarming=True,
            place="needs_you",
        )
    ]


DASHBOARD = Dashboard(figures=figures)

"""The effects of a report of a letter of ours: at its messages, and at the address that it went to."""

from apps.letters.actions.addresses import note_dead, stop_letters
from apps.letters.actions.outbox import fail_letter
from apps.letters.models import OutLetter
from apps.letters.rules.addresses import normal
from apps.letters.rules.reading.reports import Report


def apply_report(letter: OutLetter, report: Report) -> None:
    """Notes a failure at the messages of the letter, a dead address, a complaint. In the transaction under way."""
    address = letter.thread.address
    report = report.about(normal(address))
    if report.action == "complaint":
        stop_letters(widget_id=letter.widget_id, email=address)
        return
    if not report.code:
        return
    if report.recipient and report.recipient != address and report.recipient in letter.thread.copies:
        return  # a copy's
    fail_letter(letter, report.code, report.detail)
    # An address that passes its letters on lives, dead or not the one that gets them.
    is_of_address = not report.recipient or report.recipient == normal(address)
    if report.kills_address and is_of_address:
        note_dead(widget_id=letter.widget_id, email=address, detail=report.detail)

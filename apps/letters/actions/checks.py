"""Whether a letter of the installation to itself came back through one of its doors."""

from apps.letters.models import InLetter

_NOTHING: dict[str, str | None] = {"spf": None, "dkim": None, "dmarc": None}


def arrived(message_id: str) -> dict[str, str | None] | None:
    """The receiver's results for our own letter: `{spf, dkim, dmarc}`; None while it is not there."""
    rows = InLetter.objects.unscoped("our own letter, named by its Message-ID")
    rows = rows.filter(letter_id__in=(message_id, message_id.strip("<>")), handled_at__isnull=False)
    row = rows.order_by("id").first()
    return None if row is None else {**_NOTHING, **(row.results or {})}

"""Reports of mail servers about letters: what became of one (RFC 3464), and complaints (RFC 5965)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apps.letters.rules.reading.headers import bare_address, message_ids
from apps.letters.rules.reading.letters import Letter

_STATUS = re.compile(r"([245])\.(\d{1,3})\.(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Report:
    """A server's word on a letter to `recipient`: `action` is failed, delayed, delivered, relayed, expanded or
    complaint; `status` an enhanced code such as `5.1.1`. message_ids: of the letter, by its returned headers.
    """

    action: str
    status: str = ""
    recipient: str = ""
    detail: str = ""
    message_ids: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """`bounced`, `mailbox_full`, `complained`; empty for what is no failure (design of letters, section 3)."""
        if self.action == "complaint":
            return "complained"
        if self.action != "failed":
            return ""
        return "mailbox_full" if self.status == "5.2.2" or self.status == "4.2.2" else "bounced"

    @property
    def kills_address(self) -> bool:
        """Whether nothing will reach the address any more."""
        return self.action == "failed" and (self.status.startswith("5.1.") or self.status == "5.2.1")


def report_of(letter: Letter) -> Report | None:
    """The report that a letter is; None for any other."""
    ids = tuple(_returned_ids(letter))
    if feedback := letter.reports.get("message/feedback-report"):
        fields = dict(_fields(feedback))
        recipient = bare_address(fields.get("original-rcpt-to", ""))
        is_complaint = fields.get("feedback-type", "abuse").lower() != "not-spam"
        return Report("complaint" if is_complaint else "other", recipient=recipient, message_ids=ids)
    status = letter.reports.get("message/delivery-status") or letter.reports.get("message/global-delivery-status")
    return _of_delivery(status, ids) if status else None


def _of_delivery(status: str, ids: tuple[str, ...]) -> Report:
    """The first recipient that a report names as failed, else the first."""
    found: list[Report] = []
    for group in re.split(r"\n[ \t]*\n", status.replace("\r\n", "\n")[:100_000]):
        fields = dict(_fields(group))
        if "action" not in fields:
            continue
        code = _STATUS.search(fields.get("status", "")) or _STATUS.search(fields.get("diagnostic-code", ""))
        recipient = fields.get("original-recipient") or fields.get("final-recipient", "")
        found.append(
            Report(
                fields["action"].partition(" ")[0].lower(),
                code[0] if code else "",
                bare_address(recipient.rpartition(";")[2]),
                fields.get("diagnostic-code", "").rpartition("; ")[2][:255],
                ids,
            )
        )
    return next(
        (one for one in found if one.action == "failed"), found[0] if found else Report("other", message_ids=ids)
    )


def _returned_ids(letter: Letter) -> Iterator[str]:
    for kind in ("message/rfc822", "text/rfc822-headers"):
        headers = letter.reports.get(kind, "").replace("\r\n", "\n").partition("\n\n")[0]
        for name, value in _fields(headers):
            if name == "message-id":
                yield from message_ids(value)


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """The fields of a block of headers, by name in lower case, each on one line."""
    joined: list[str] = []
    for line in text[:100_000].split("\n"):
        if line[:1] in (" ", "\t") and joined:
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    for line in joined:
        name, colon, value = line.partition(":")
        if colon:
            yield name.strip().lower(), value.strip()

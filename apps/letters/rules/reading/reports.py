"""Reports of mail servers about letters: deliveries (RFC 3464, QSBMF, Exim's), and complaints (RFC 5965)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.letters.rules.reading.bounces import code_of, ends_address
from apps.letters.rules.reading.headers import bare_address, message_ids
from apps.letters.rules.reading.letters import Letter

# The lines under which a report in plain text has the letter that came back.
_COPY = re.compile(r"^-{2,10} ?(?:below this line|this is a copy|original message|the header)", re.IGNORECASE)
_RECIPIENT = re.compile(r"<([^<>\s@]{1,64}@[^<>\s@]{1,190})>")
_ID_FIELD = re.compile(r"[> \t]{0,10}message-id:(.{0,1000})", re.IGNORECASE)
_FOR_NOW = re.compile(
    r"will (?:keep|be) (?:trying|retried)|has been delayed|not yet been delivered|no action is required", re.IGNORECASE
)
MOST_LINES = 400


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
    others: tuple["Report", ...] = ()  # of the same letter to other recipients

    def about(self, address: str) -> "Report":
        """The report on that recipient, of several; this one where none names them."""
        return next((one for one in (self, *self.others) if one.recipient == address), self)

    @property
    def code(self) -> str:
        """`bounced`, `mailbox_full`, `complained`; empty for what is no failure (design of letters, section 3)."""
        if self.action == "complaint":
            return "complained"
        if self.action != "failed":
            return ""
        return "mailbox_full" if self.status in ("5.2.2", "4.2.2") else "bounced"

    @property
    def kills_address(self) -> bool:
        """Whether nothing will reach the address any more."""
        return self.action == "failed" and ends_address(self.status)


def report_of(letter: Letter) -> Report | None:
    """The report that a letter is; None for any other."""
    ids = tuple(_returned_ids(letter))
    if feedback := letter.reports.get("message/feedback-report"):
        fields = dict(_fields(feedback))
        recipient = bare_address(fields.get("original-rcpt-to", ""))
        is_complaint = fields.get("feedback-type", "abuse").lower() != "not-spam"
        return Report("complaint" if is_complaint else "other", recipient=recipient, message_ids=ids)
    status = letter.reports.get("message/delivery-status") or letter.reports.get("message/global-delivery-status")
    return _of_delivery(status, ids) if status else _of_plain(letter)


def _of_delivery(status: str, ids: tuple[str, ...]) -> Report:
    """The report on the first recipient that failed, else on the first; those on the others with it."""
    found: list[Report] = []
    for group in re.split(r"\n[ \t]*\n", status.replace("\r\n", "\n")[:100_000]):
        fields = dict(_fields(group))
        if not {"action", "final-recipient"} & set(fields):
            continue
        said = fields.get("diagnostic-code", "")
        untold = "failed" if fields.get("status", said).strip().startswith("5") else "other"
        action = fields.get("action", untold).partition(" ")[0].lower()
        recipient = fields.get("original-recipient") or fields.get("final-recipient", "")
        found.append(
            Report(
                action,
                code_of(fields.get("status", ""), said, is_failed=action == "failed"),
                bare_address(recipient.rpartition(";")[2]),
                _sentence(said),
                ids,
            )
        )
    if not found:
        return Report("other", message_ids=ids)
    first = next((one for one in found if one.action == "failed"), found[0])
    return replace(first, others=tuple(one for one in found if one is not first))


def _sentence(diagnostic: str) -> str:
    """A server's sentence without the kind before it (`smtp;`)."""
    kind, mark, rest = diagnostic.partition(";")
    return (rest if mark and kind.strip().isalnum() else diagnostic).strip()[:255]


def _of_plain(letter: Letter) -> Report | None:
    """The report of a program that writes it as plain text, known by its form: QSBMF (qmail), Exim, or a mail system's
    letter that returns the headers of ours. None for any other.
    """
    lines = (letter.plain or "")[:100_000].replace("\r\n", "\n").split("\n")[:MOST_LINES]
    failed = [bare_address(one) for one in letter.first("x-failed-recipients").split(",")[:20]]
    is_of_qmail = next((line for line in lines if line.strip()), "").lower().startswith("hi. this is the ")
    returned = tuple(_ids_in_text(lines))
    if not (is_of_qmail or failed[0] or (returned and _is_of_system(letter))):
        return None
    end = next((at for at, line in enumerate(lines) if _COPY.match(line) or _ID_FIELD.match(line)), len(lines))
    named = next((at for at, line in enumerate(lines[:end]) if _RECIPIENT.search(line) or _names(line, failed)), None)
    said = " ".join(" ".join(lines[(named or 0) + is_of_qmail : end]).split())[:2_000]
    found = _RECIPIENT.search(lines[named]) if named is not None and not failed[0] else None
    is_for_now = _FOR_NOW.search(" ".join(lines[:end])) is not None
    return Report(
        "delayed" if is_for_now else "failed",
        code_of("", said, is_failed=not is_for_now),
        bare_address(found[1]) if found else failed[0],
        said[:255],
        returned,
    )


def _is_of_system(letter: Letter) -> bool:
    local = letter.from_[0].address.partition("@")[0] if letter.from_ else ""
    return local.replace("-", "") in ("mailerdaemon", "postmaster", "microsoftexchange")


def _ids_in_text(lines: list[str]) -> Iterator[str]:
    """The ids in the headers of a letter that a text returns."""
    for line in lines:
        if found := _ID_FIELD.match(line):
            yield from message_ids(found[1])


def _names(line: str, addresses: list[str]) -> bool:
    return bool(line.strip()) and any(one and one in line.lower() for one in addresses)


def _ids_in(copy: list[str]) -> Iterator[str]:
    """The ids in the headers of a letter that a report returns, behind blank lines."""
    begins = next((at for at, line in enumerate(copy) if line.strip()), len(copy))
    headers = "\n".join(copy[begins:]).partition("\n\n")[0]
    for name, value in _fields(headers):
        if name == "message-id":
            yield from message_ids(value)


def _returned_ids(letter: Letter) -> Iterator[str]:
    for kind in ("message/rfc822", "text/rfc822-headers"):
        yield from _ids_in(letter.reports.get(kind, "").replace("\r\n", "\n").split("\n")[:2_000])


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

"""Letters that no person wrote just now: programs, lists, absences. Design of letters, section 5, line 8."""

import re

from apps.letters.rules.reading.letters import Letter

_BULK = {"bulk", "junk", "list", "auto_reply"}
_OF_PROGRAMS = ("x-autoreply", "x-autorespond", "x-autoresponder")
_SENDERS = re.compile(r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply)(?:[+._-].{0,60})?")
# How programs begin the subject of an absence, in the seven languages and the neighbours'.
_SUBJECTS = (
    *("automatic reply", "auto reply", "auto-reply", "autoreply", "out of office", "out of the office", "auto:"),
    *("автоответ", "автоматический ответ", "нет на месте", "вне офиса"),
    *("abwesenheitsnotiz", "automatische antwort", "abwesenheit:", "αυτόματη απάντηση", "εκτός γραφείου"),
    *(
        "respuesta automática",
        "fuera de la oficina",
        "رد تلقائي",
        "الرد التلقائي",
        "自动回复",
        "自動回覆",
        "réponse automatique",
    ),
    *(
        "risposta automatica",
        "resposta automática",
        "automatisch antwoord",
        "automatyczna odpowiedź",
        "автоматична відповідь",
    ),
)


def is_machine(letter: Letter, envelope_sender: str | None = None) -> bool:
    """Whether a program wrote it. `envelope_sender` is None where the door does not know it, "" for the null path."""
    submitted = letter.first("auto-submitted").partition(";")[0].strip().lower()
    if submitted and submitted != "no":
        return True
    if letter.first("precedence").strip().lower() in _BULK or letter.first("list-id"):
        return True
    if any(letter.first(name) for name in _OF_PROGRAMS):
        return True
    if envelope_sender == "" or letter.first("return-path").replace(" ", "") == "<>":
        return True
    if any(_SENDERS.fullmatch(one.address.partition("@")[0]) for one in letter.from_):
        return True
    return letter.subject.lower().lstrip("[( ").startswith(_SUBJECTS)


def is_spam(letter: Letter) -> bool:
    """Whether the receiving server calls it spam."""
    status = letter.first("x-spam-status").strip().lower()
    return letter.first("x-spam-flag").strip().lower() == "yes" or status.startswith("yes")

"""The meaning of a mail server's sentence about an address: an enhanced code (RFC 3463), its own or by its words. Pure.

Only a sentence about the *recipient* ends an address. A code such as `5.0.0` says nothing, and many servers write the
reason beside it alone; others write `5.1.1` over a refusal of the sender.
"""

import re

_CODE = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_NAME = re.compile(r"[^\W\d]\.[^\W\d]")
_BASIC = re.compile(r"(?<![\d.])([45])\d\d(?![\d.])")
# Codes that name no reason: the second number is 0, or all of a kind.
_GENERAL = re.compile(r"[45]\.(?:0\.0|1\.0|2\.0|5\.[0-9]|0\.\d{1,3})")
_ENDS_ADDRESS = ("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1")
NO_MAILBOX, FULL, POLICY = "5.1.1", "5.2.2", "5.7.1"

# About the sender, the letter, or how often is sent: nothing of it is the recipient's.
_OF_SENDER = re.compile(
    r"\b(?:spf|dkim|dmarc|spam|spamhaus|blacklist\w{0,3}|blocklist\w{0,3}|blocked|listed|reputation|policy|virus|malware|"
    r"content rejected|message rejected|rate|too (?:many|quickly|fast)|throttl\w{0,4}|"
    r"relay(?! recipient)\w{0,4}|authenticat\w{0,5}|"
    r"greylist\w{0,3}|try again|temporar\w{0,3}|access denied|not allowed|not authori[sz]ed|unverified|"
    r"(?:sender|from)(?:'s)? (?:address|domain|verify|verification)\b)|спам|политик|отправител|заблокирован за|слишком",
    re.IGNORECASE,
)
_IS_FULL = re.compile(
    r"(?:mailbox|inbox|quota|storage|ящик)\W{1,3}(?:\w{1,12}\W{1,3}){0,3}(?:full|exceed\w{0,3}|over quota|"
    r"переполнен|limit)|over\s?quota|"
    r"insufficient (?:disk|storage)|out of storage|overquota|переполнен",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"(?:unknown|no such|invalid|non[- ]?existent|inexistent|bad|unrouteable) (?:\w{1,12} )?"
    r"(?:user|recipient|mailbox|address|account|destination|person|local part)|"
    r"(?:user|recipient|mailbox|address|account|person)\W{1,3}(?:\S{1,254} )?(?:\w{1,12} ){0,2}"
    r"(?:unknown|not found|does not exist|doesn'?t exist|do not exist|is invalid|not known|disabled|"
    r"no longer (?:exists|available|valid)|not exist|isn'?t (?:here|valid)|has been (?:disabled|deleted|closed)|"
    r"is (?:disabled|inactive))|"
    r"this user doesn'?t have|(?:has no|does(?: not|n'?t) have an) account|addressee unknown|no existe|desconocid|"
    r"(?:utilisateur|destinataire|adresse) inconnue?|n'existe pas|existiert nicht|destinatario sconosciuto|"
    r"no mailbox (?:here )?(?:by|with) that name|does ?n[o']t like recipient|"
    r"not our customer|not a (?:valid|known) (?:user|recipient|mailbox)|"
    r"(?:ящик|пользовател\w|адрес\w?|получател\w)\W{1,3}(?:\S{1,60} ){0,3}(?:не найден|не существует|неизвестен|"
    r"не зарегистрирован|отключ[её]н|удал[её]н)|"
    r"(?:неизвестн\w{2,3}|нет так\w{2,3}|несуществующ\w{2,3}) (?:ящик\w?|пользовател\w|адрес\w?|получател\w)|"
    r"(?:unbekannt\w{0,2}|kein) (?:benutzer|empfänger|postfach)|(?:empfänger|benutzer|"
    r"postfach) (?:\w{1,12} ){0,2}(?:unbekannt|nicht gefunden)",
    re.IGNORECASE,
)


def code_of(status: str, diagnostic: str, *, is_failed: bool = True) -> str:
    """The code that counts: of the status; where that says nothing, of the server's sentence, by its code or its
    words. A sentence about the sender makes no status one about the recipient.
    """
    told, said = _code(status), _code(diagnostic)
    specific = [code for code in (told, said) if _is_specific(code)]
    if is_failed and all(map(_is_policy, specific)) and _says_nobody(diagnostic):
        return f"{_kind(said or told, diagnostic)}.1.1"
    if _is_specific(told) and not ends_address(told):
        return told
    if is_failed and _is_of_another(said, diagnostic):
        return said if _is_specific(said) and not ends_address(said) else f"{_kind(said or told, diagnostic)}.7.1"
    if _is_specific(told):
        return told
    if _is_specific(said):
        return said
    return _by_words(diagnostic, told or said) if is_failed else told or said


def ends_address(code: str) -> bool:
    """Whether nothing will reach the address any more."""
    return code in _ENDS_ADDRESS


def _is_policy(code: str) -> bool:
    """Whether a code says that something is not allowed: some servers write it over `No such user!`."""
    return code[1:4] == ".7."


def _says_nobody(diagnostic: str) -> bool:
    return _NOBODY.search(diagnostic) is not None and not _is_of_sender(diagnostic)


def _is_of_sender(diagnostic: str) -> bool:
    """Whether it is about the sender or the letter, by its words alone: names of hosts and addresses say nothing."""
    words = " ".join(word for word in diagnostic.split() if "@" not in word and not _NAME.search(word))
    return _OF_SENDER.search(words) is not None


def _is_of_another(said: str, diagnostic: str) -> bool:
    if _is_specific(said) and not ends_address(said):
        return True
    return _is_of_sender(diagnostic) and _IS_FULL.search(diagnostic) is None


def _by_words(diagnostic: str, general: str) -> str:
    kind = _kind(general, diagnostic)
    if _IS_FULL.search(diagnostic):
        return f"{kind}.2.2"
    if _NOBODY.search(diagnostic):
        return f"{kind}.1.1"
    return general


def _kind(code: str, diagnostic: str) -> str:
    """Whether it is for good (5) or for now (4): by the sentence's own number, else by the code."""
    found = _BASIC.search(diagnostic)
    return found[1] if found else code[:1] or "5"


def _code(text: str) -> str:
    """The enhanced code of a text: the first that names a reason, else the first."""
    found = [one[0] for one in _CODE.finditer(text[:2_000])]
    return next((one for one in found if _is_specific(one)), found[0] if found else "")


def _is_specific(code: str) -> bool:
    return bool(code) and _GENERAL.fullmatch(code) is None

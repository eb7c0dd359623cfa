"""The facts of letters that become facts of conversations: by whether anybody proved who wrote. Pure.

A fact of a letter that nobody proved never changes who gets answers, what they are about, or what is known of a person.
The table is printed in THREAT_MODEL.md.
"""

from enum import StrEnum

from apps.letters.rules.reading.proofs import Proof


class Standing(StrEnum):
    """The degree to which a letter is its sender's."""

    PROVED = "proved"  # the proof is `pass`, and the sender is the thread's address, or the mailbox's correspondent
    HELD = "held"  # nothing is proven, but it came by the reply address that was mailed to the sender alone
    FIRST = "first"  # nothing is proven, and nothing is known of the address in the mailbox that it wrote to
    CLAIMED = "claimed"  # anything else: `fail`, a known address without proof, a third person


class LetterFact(StrEnum):
    """The facts that a letter tells of the conversation, and of its sender."""

    RECIPIENTS = "recipients"
    SUBJECT = "subject"
    REFERENCES = "references"
    ADDRESSEE = "addressee"
    QUOTE = "quote"
    CONTACT = "contact"
    ADDRESS = "address"
    LIFE = "life"
    STOP = "stop"
    REPETITION = "repetition"


class Fate(StrEnum):
    """The outcome for a fact: part of the conversation, text that operators see, nothing."""

    TAKEN = "taken"
    SHOWN = "shown"
    DROPPED = "dropped"


MEANINGS = {
    LetterFact.RECIPIENTS: "who gets copies of answers",
    LetterFact.SUBJECT: "the subject of answers",
    LetterFact.REFERENCES: "which letter an answer continues",
    LetterFact.ADDRESSEE: "to which of several writers answers go, and how soon",
    LetterFact.QUOTE: "whether answers quote it (a first one without links and numbers)",
    LetterFact.CONTACT: "whether a known contact wrote it",
    LetterFact.ADDRESS: "whether the address is the contact's",
    LetterFact.LIFE: "whether its owner reads what is mailed",
    LetterFact.STOP: "whether its one word ends the letters",
    LetterFact.REPETITION: "whether a proved letter with the same words is a repetition of it",
}

_T, _S, _D = Fate.TAKEN, Fate.SHOWN, Fate.DROPPED
_COLUMNS = (Standing.PROVED, Standing.HELD, Standing.FIRST, Standing.CLAIMED)
_ROWS = {
    LetterFact.RECIPIENTS: (_T, _S, _S, _S),
    LetterFact.SUBJECT: (_T, _S, _T, _S),
    LetterFact.REFERENCES: (_T, _T, _T, _D),
    LetterFact.ADDRESSEE: (_T, _T, _D, _D),
    LetterFact.QUOTE: (_T, _D, _T, _D),
    LetterFact.CONTACT: (_T, _D, _D, _D),
    LetterFact.ADDRESS: (_T, _D, _D, _D),
    LetterFact.LIFE: (_T, _T, _D, _D),
    LetterFact.STOP: (_T, _T, _S, _S),
    LetterFact.REPETITION: (_T, _D, _D, _D),
}
FATES = {fact: dict(zip(_COLUMNS, fates, strict=True)) for fact, fates in _ROWS.items()}


def standing_in_thread(proof: Proof, *, is_addressee: bool, by_reply_address: bool, has_copies: bool) -> Standing:
    """The standing of an answer to a letter of ours. The reply address is a secret of who got letters of the thread:
    where others got copies, it says nothing about one of them.
    """
    if not is_addressee or proof == Proof.FAIL:
        return Standing.CLAIMED
    if proof == Proof.PASS:
        return Standing.PROVED
    return Standing.HELD if by_reply_address and not has_copies else Standing.CLAIMED


def standing_at_mailbox(proof: Proof, *, is_known: bool) -> Standing:
    """The standing of a letter that begins or continues a chat of a mailbox by its From alone."""
    if proof == Proof.PASS:
        return Standing.PROVED
    return Standing.CLAIMED if is_known or proof == Proof.FAIL else Standing.FIRST


def is_taken(fact: LetterFact, standing: Standing) -> bool:
    """Whether the fact becomes one of the conversation."""
    return FATES[fact][standing] is Fate.TAKEN


def is_shown(fact: LetterFact, standing: Standing) -> bool:
    """Whether operators are shown the fact, which changes nothing."""
    return FATES[fact][standing] is Fate.SHOWN


def table() -> str:
    """The table as THREAT_MODEL.md has it."""
    lines = [f"| a letter's word on | {' | '.join(_COLUMNS)} |", "|---|---|---|---|---|"]
    lines += [f"| {MEANINGS[fact]} | {' | '.join(FATES[fact].values())} |" for fact in LetterFact]
    return "\n".join(lines)

"""The chat of a letter, its author, and the consequences: proof, third persons, people instead of AI."""

from collections.abc import Sequence

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Status
from apps.core.problems import Problem
from apps.letters.actions.addresses import note_proof, note_sign_of_life
from apps.letters.actions.receiving.facts import take_facts
from apps.letters.actions.receiving.posting import Post, post_letter
from apps.letters.models import Address, Correspondent, InLetter, Mailbox, Thread
from apps.letters.rules import rights
from apps.letters.rules.addresses import digest_of, normal
from apps.letters.rules.domains import ascii_form, is_mailable
from apps.letters.rules.mailboxes import Ai, bare_subject
from apps.letters.rules.reading import machines
from apps.letters.rules.reading.authors import ORIGINAL, LetterAuthor, writer_behind
from apps.letters.rules.reading.files import LetterFile
from apps.letters.rules.reading.letters import Letter
from apps.letters.rules.reading.limits import MAX_BODY
from apps.letters.rules.reading.proofs import Proof
from apps.letters.rules.reading.texts import OwnText
from apps.letters.rules.standing import LetterFact, Standing, is_taken, standing_at_mailbox, standing_in_thread
from apps.letters.settings import settings_of

MAIL = "mail"


def post_to_thread(
    row: InLetter,
    letter: Letter,
    words: OwnText,
    files: Sequence[LetterFile],
    thread: Thread,
    *,
    by_reply_address: bool,
) -> list[PostedMessage]:
    """Posts an answer into the chat of the right that it names. The right lets in, not the From: what another address
    writes is a third person's, of whom nothing is learnt.
    """
    chat = Chat.objects.for_widget(thread.widget_id).select_related("contact").get(pk=thread.chat_id)
    contact = chat.contact
    row.is_third = not is_addressee(row, thread)
    standing = standing_of(row, thread, by_reply_address=by_reply_address)
    # AI's answer by mail would never be seen where AI's answers are not mailed.
    row.is_for_people = standing != Standing.PROVED or not settings_of(thread.widget_id).of_ai
    name = gettext("%(sender)s (not %(address)s)") % {"sender": row.sender, "address": thread.address}
    posted = post_letter(
        row, Post(contact, chat.channel, words.text, files, sender_name=name[:255] if row.is_third else None)
    )
    if is_taken(LetterFact.ADDRESS, standing):
        note_proof(widget_id=thread.widget_id, email=thread.address, by=Address.Proof.LETTER, contact_id=contact.pk)
    if is_taken(LetterFact.LIFE, standing):
        _note_life(thread)
    take_facts(row, letter, thread, standing, channel=chat.channel)
    _give_to_people(row, chat)
    if machines.is_spam(letter):
        chats.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.SPAM)
    return posted


def is_addressee(row: InLetter, thread: Thread) -> bool:
    """Whether From is whom the thread's letters go to, who is still the chat's contact."""
    if row.sender != thread.address:
        return False
    contact = Contact.objects.for_widget(thread.widget_id).get(chats__id=thread.chat_id)
    known = Correspondent.objects.for_widget(thread.widget_id).filter(contact=contact, address=thread.address)
    return normal(contact.email) == thread.address or known.exists()


def standing_of(row: InLetter, thread: Thread, *, by_reply_address: bool) -> Standing:
    """The standing of an answer into that thread."""
    return standing_in_thread(
        Proof(row.proof or Proof.NONE),
        is_addressee=is_addressee(row, thread),
        by_reply_address=by_reply_address,
        has_copies=bool(thread.copies),
    )


def _note_life(thread: Thread) -> None:
    """The addressee answered: what was mailed is seen."""
    note_sign_of_life(widget_id=thread.widget_id, email=thread.address)
    said = Message.objects.for_widget(thread.widget_id).filter(chat_id=thread.chat_id, is_internal=False)
    seen = said.filter(pk__lte=thread.mailed_id).order_by("-pk").values_list("pk", flat=True).first()
    if seen is not None:
        chats.mark_seen(widget_id=thread.widget_id, chat_id=thread.chat_id, message_id=seen, seen_by="USER")


def _give_to_people(row: InLetter, chat: Chat) -> None:
    """Calls people to a visitor's letter that they answer, unless a person has the chat."""
    if not row.is_for_people or chat.status == Status.SPAM:
        return
    owner = Agent.objects.for_widget(chat.widget_id).filter(pk=chat.agent_id).first() if chat.agent_id else None
    if owner is None or owner.type != Agent.Type.HUMAN:
        chats.request_operator(widget_id=chat.widget_id, chat_id=chat.pk, reason=MAIL)


# --- Mailboxes --------------------------------------------------------------------------------------------------------


def post_to_mailbox(row: InLetter, letter: Letter, words: OwnText, files: Sequence[LetterFile]) -> list[PostedMessage]:
    """Posts a letter to a mailbox into its sender's chat there; the first one makes it."""
    mailbox = row.mailbox
    assert mailbox is not None  # noqa: S101 - the caller asked
    row.widget_id = mailbox.widget_id
    known = Correspondent.objects.for_widget(mailbox.widget_id).filter(mailbox=mailbox, address=row.sender)
    correspondent = known.select_related("contact").first()
    is_new = correspondent is None
    standing = standing_at_mailbox(Proof(row.proof or Proof.NONE), is_known=not is_new)
    if correspondent is None:
        correspondent = _new_correspondent(row, mailbox, standing)
    subject = bare_subject(row.subject)
    text = words.text
    if subject and subject != correspondent.subject:
        text = f"{subject}\n\n{text}"[:MAX_BODY]
        if is_taken(LetterFact.SUBJECT, standing):
            correspondent.subject = subject
            correspondent.save(update_fields=["subject"])
    row.is_for_people = mailbox.ai != Ai.ANSWERS or row.proof != Proof.PASS
    posted = post_letter(
        row, Post(correspondent.contact, mailbox.channel, text, files, department_id=mailbox.department_id)
    )
    chat_id = posted[0].chat_id
    thread = row.thread = thread_of(mailbox.widget_id, chat_id, row.sender)
    take_facts(row, letter, thread, standing, channel=mailbox.channel)
    Mailbox.objects.for_widget(mailbox.widget_id).filter(pk=mailbox.pk).update(last_inbound_at=timezone.now())
    if machines.is_spam(letter) or (is_new and row.proof == Proof.FAIL):
        chats.set_chat_state(widget_id=mailbox.widget_id, chat_id=chat_id, status=Status.SPAM)
    return posted


def take_writer(row: InLetter, letter: Letter, author: LetterAuthor) -> None:
    """A form of the shop's page, or a group, writes for somebody: of that sender nothing is proven."""
    if row.mailbox is None or author not in (LetterAuthor.FORM, LetterAuthor.GROUP):
        return
    own = {row.sender, *map(normal, (row.mailbox.address, *row.mailbox.form_senders))}
    names = ORIGINAL if author is LetterAuthor.GROUP else (*ORIGINAL, "reply-to")
    if (found := writer_behind(letter, names, own)) is not None:
        row.sender, row.sender_name, row.proof = found.address, found.name or row.sender_name, Proof.NONE


def _new_correspondent(row: InLetter, mailbox: Mailbox, standing: Standing) -> Correspondent:
    known = _proven_contact(row, mailbox) if is_taken(LetterFact.CONTACT, standing) else None
    contact = known or _new_contact(row, mailbox)
    return Correspondent.objects.create(
        widget_id=mailbox.widget_id, mailbox=mailbox, address=row.sender, contact=contact
    )


def _proven_contact(row: InLetter, mailbox: Mailbox) -> Contact | None:
    """The one contact whose proven address it is."""
    proven = Address.objects.for_widget(mailbox.widget_id).filter(digest=digest_of(row.sender), proven_at__isnull=False)
    if not proven.exists():
        return None
    is_theirs = Q(email__iexact=row.sender) | Q(email__iexact=ascii_form(row.sender))
    contacts = list(Contact.objects.for_widget(mailbox.widget_id).filter(is_theirs)[:2])
    return contacts[0] if len(contacts) == 1 else None


def _new_contact(row: InLetter, mailbox: Mailbox) -> Contact:
    name = row.sender_name.strip() or row.sender.partition("@")[0]
    if not is_mailable(row.sender):
        return chats.create_contact(widget_id=mailbox.widget_id, about={"name": row.sender[:255]})
    try:
        return chats.create_contact(widget_id=mailbox.widget_id, about={"name": name, "email": row.sender})
    except Problem:
        # An address that is good for mail, and none for a contact.
        return chats.create_contact(widget_id=mailbox.widget_id, about={"name": row.sender[:255]})


def thread_of(widget_id: int, chat_id: int, address: str) -> Thread:
    """The chat's correspondence with the address, made if there is none."""
    right = rights.new_right()
    row = Thread(
        widget_id=widget_id, chat_id=chat_id, address=normal(address), right=right, digest=rights.digest_of(right)
    )
    Thread.objects.bulk_create([row], ignore_conflicts=True)
    threads = Thread.objects.for_widget(widget_id).filter(chat_id=chat_id, address=normal(address))
    return threads.select_for_update().get()

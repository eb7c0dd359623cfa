"""An account can move to another installation: each of its rows leads to it, and no key meets those of others.

Numbers do not meet by `CELL` (docs/guides/scale.md); what else is unique has to be random, or within one tenant's row.
"""

from collections.abc import Iterator

from django.db import models

from apps.accounts.models import Account
from apps.chats.models import ContactTag
from tests.architecture.tenants import product_models, tenant_models

# Drawn at random, or the digest of what was.
RANDOM = {"guid", "digest", "public_id", "storage_key", "referral_code"}

# What people chose, and one installation has once: a move is refused where the other has it.
ONCE_IN_AN_INSTALLATION = {
    ("accounts.Account", "email"),
    ("accounts.User", "email"),
    ("accounts.User", "provider_subject"),
    ("billing.Plan", "code"),
    # The installation's own rows, of no account: who its invoices are paid to, and its backups.
    ("accounts.BackupNote", "name"),
    ("billing.Payee", "only"),
    # A vendor's bot or page is connected once, whoever has it.
    ("messengers.Connection", "account_id"),
    # An address is one mailbox in the installation; a sender's letters of all doors are read in order.
    ("letters.Mailbox", "address"),
    ("letters.SenderJob", "sender"),
    ("messengers.VendorSettings", "app_digest"),
    # Addresses of public pages. A moved help center takes a free slug, and proves its domain anew.
    ("articles.HelpCenter", "slug"),
    ("articles.HelpCenter", "domain"),
}


def owned_models() -> list[type[models.Model]]:
    """Those whose rows are an account's or a widget's."""
    found: set[type[models.Model]] = {Account, *tenant_models()}
    while more := {each for each in product_models() if each not in found and found & set(_needed(each))}:
        found |= more
    return sorted(found, key=lambda each: each._meta.label)


def _needed(model: type[models.Model]) -> Iterator[type[models.Model]]:
    for field in model._meta.concrete_fields:
        if isinstance(field, models.ForeignKey) and not field.null and isinstance(field.related_model, type):
            yield field.related_model


def owner_path(model: type[models.Model]) -> bool:
    """Whether every row leads to an account: a key that is never empty leads on, or one that names it itself."""
    names = {field.name for field in model._meta.concrete_fields}
    if model is Account or names & {"account", "widget"}:
        return True
    return any(owner_path(each) for each in _needed(model) if each is not model)


def test_a_row_leads_to_its_account() -> None:
    assert len(owned_models()) > 100
    assert [model._meta.label for model in owned_models() if not owner_path(model)] == []


def uniques(model: type[models.Model]) -> Iterator[tuple[str, ...]]:
    """The names of each unique key but the primary one."""
    for field in model._meta.concrete_fields:
        if field.unique and not field.primary_key:
            yield (field.name,)
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint) and constraint.fields:
            yield constraint.fields
    yield from (tuple(names) for names in model._meta.unique_together)


def is_an_owners(model: type[models.Model], names: tuple[str, ...]) -> bool:
    """Whether a unique key is random, or within a row of one tenant: named by a foreign key, or by its number."""
    fields = [field for field in model._meta.concrete_fields if {field.name, field.attname} & set(names)]
    return bool(set(names) & RANDOM) or any(
        isinstance(field, models.ForeignKey)
        or (field.name.endswith("_id") and isinstance(field, models.BigIntegerField))
        for field in fields
    )


def test_a_unique_key_does_not_cross_accounts() -> None:
    crossing = {
        (model._meta.label, names[0])
        for model in product_models()
        for names in uniques(model)
        if not is_an_owners(model, names)
    }
    assert crossing - ONCE_IN_AN_INSTALLATION == set()


def test_a_contacts_tag_leads_to_its_account_by_the_contact() -> None:
    assert owner_path(ContactTag)
    assert is_an_owners(ContactTag, ("contact", "tag"))
